internal import Foundation
internal import HTTPTypes
internal import Synchronization

// A stand-in for the package swift-openapi-runtime, which CI can't fetch: the part of its API that a
// transport uses, written after its documentation, so that the page's transport is compiled and tested.
// See <https://swiftpackageindex.com/apple/swift-openapi-runtime/documentation/openapiruntime>.

/// Sends the requests of a generated client.
protocol ClientTransport: Sendable {
    func send(
        _ request: HTTPRequest,
        body: HTTPBody?,
        baseURL: URL,
        operationID: String
    ) async throws -> (HTTPResponse, HTTPBody?)
}

/// The content of a request or a response of a generated client.
final class HTTPBody: AsyncSequence, Sendable {
    typealias ByteChunk = ArraySlice<UInt8>
    typealias Element = ByteChunk

    enum Length: Sendable, Equatable {
        case unknown
        case known(Int64)
    }

    enum IterationBehavior: Sendable {
        case single
        case multiple
    }

    /// A content that can be iterated once is iterated a second time.
    struct TooManyIterationsError: Error {}

    let length: Length
    let iterationBehavior: IterationBehavior
    private let make: @Sendable () -> Iterator
    private let isIterated = Mutex(false)

    init<Bytes: AsyncSequence & Sendable>(
        _ sequence: Bytes,
        length: Length,
        iterationBehavior: IterationBehavior
    ) where Bytes.Element == ByteChunk {
        self.length = length
        self.iterationBehavior = iterationBehavior
        make = { Iterator(sequence.makeAsyncIterator()) }
    }

    convenience init(_ bytes: [UInt8]) {
        self.init(
            Repeated {
                AsyncStream<ByteChunk> { continuation in
                    continuation.yield(bytes[...])
                    continuation.finish()
                }
            },
            length: .known(Int64(bytes.count)),
            iterationBehavior: .multiple
        )
    }

    func makeAsyncIterator() -> Iterator {
        let isFirst = isIterated.withLock { isIterated in
            defer { isIterated = true }
            return !isIterated
        }
        return isFirst || iterationBehavior == .multiple ? make() : Iterator(Refused())
    }

    struct Iterator: AsyncIteratorProtocol {
        private var base: any AsyncIteratorProtocol

        init<Base: AsyncIteratorProtocol>(_ base: Base) where Base.Element == ByteChunk {
            self.base = base
        }

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> ByteChunk? {
            try await base.next(isolation: actor) as? ByteChunk
        }
    }

    /// A sequence that is made for each iteration.
    private struct Repeated<Base: AsyncSequence>: AsyncSequence, Sendable {
        typealias Element = Base.Element
        let make: @Sendable () -> Base

        func makeAsyncIterator() -> Base.AsyncIterator { make().makeAsyncIterator() }
    }

    private struct Refused: AsyncIteratorProtocol {
        mutating func next(isolation actor: isolated (any Actor)?) async throws -> ByteChunk? {
            throw TooManyIterationsError()
        }
    }
}
