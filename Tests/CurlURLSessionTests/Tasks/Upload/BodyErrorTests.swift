import CurlTransport
import Foundation
import TestSupport
import Testing

@testable import CurlURLSession

/// Tests how errors of the program's request body are reported.
@Suite(.timeLimit(.minutes(10))) struct BodyErrorTests {
    private final class SourceFailure: Error, CustomStringConvertible {
        var description: String { "the source broke" }
    }

    /// A stream that claims to have bytes, but fails to read them.
    private final class BrokenStream: InputStream {
        private let failure: any Error
        private var status = Stream.Status.notOpen

        init(_ failure: any Error) {
            self.failure = failure
            super.init(data: Data())
        }

        override var streamStatus: Stream.Status { status }
        override var streamError: (any Error)? { status == .error ? failure : nil }
        override var hasBytesAvailable: Bool { true }
        override func open() { status = .open }
        override func close() { status = .closed }

        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
            status = .error
            return -1
        }

        override func getBuffer(
            _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
            length len: UnsafeMutablePointer<Int>
        ) -> Bool {
            false
        }
    }

    @Test("The error of a request's body stream is the underlying error")
    func streamsErrorIsUnderlying() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let failure = SourceFailure()
        var request = URLRequest(url: try server.at("/"))
        request.httpMethod = "POST"
        request.httpBodyStream = BrokenStream(failure)
        let sent = request
        let error = try await urlError { _ = try await URLSession.test().data(for: sent) }
        #expect(error.code == .requestBodyStreamExhausted)
        #expect(error.userInfo[NSUnderlyingErrorKey] as? SourceFailure === failure)
        #expect(error.reason.contains("the source broke"))
    }

    @Test("A transport error has the program's error as its underlying error")
    func transportsErrorLeadsToItsCause() {
        let failure = SourceFailure()
        let error = URLError(.requestBodyFailed("it broke", underlying: failure), url: nil)
        #expect(error.code == .requestBodyStreamExhausted)
        let transport = error.userInfo[NSUnderlyingErrorKey] as? TransportError
        #expect(transport?.underlying as? SourceFailure === failure)
        // The same through `NSError`, for code that only knows Foundation.
        let cause = transport.map { $0 as NSError }?.userInfo[NSUnderlyingErrorKey]
        #expect(cause as? SourceFailure === failure)
        let other = TransportError.cancelled as NSError
        #expect(other.userInfo[NSUnderlyingErrorKey] == nil)
    }
}
