import CurlTransport
import HTTPTypes
import TestSupport
import Testing

/// HTTP/2 is offered only if no incomplete response passes for complete.
@Suite(.enabled(if: FaultyHTTP2Peer.isAvailable), .timeLimit(.minutes(10)))
struct HTTP2FaultTests {
    /// Whether libcurl reports the incomplete response as complete.
    ///
    /// libcurl takes RST_STREAM with NO_ERROR for the end of the body; RFC 9113 section 8.1 intends
    /// it for complete responses. Without a length the fault shows only in the trace, from libcurl
    /// 8.3 on, or in the missing end of a compressed body.
    private static func passesForWhole(_ fault: HTTP2Fault) -> Bool {
        fault.kind == .reset(0) && fault.moment != .beforeHead && !fault.hasLength
            && !(fault.isCompressed && fault.moment == .midBody)
    }

    /// Whether libcurl may report the incomplete responses of other streams as complete.
    ///
    /// Before 8.3, on a busy machine, it sometimes takes a GOAWAY that excludes streams for their
    /// end.
    private static func mayPassInCompany(_ fault: HTTP2Fault) -> Bool {
        guard case .disowned = fault.kind else { return false }
        return !HTTPVersionPolicy.offersHTTP2ByDefault
    }

    @Test func truncatedResponseIsAnErrorIfHTTP2IsDefault() async throws {
        let peer = try await FaultyHTTP2Peer.shared()
        var passed: Set<HTTP2Fault> = []
        for fault in HTTP2Fault.all {
            let outcome = try await provoke(fault, at: peer)
            switch outcome.end {
            case .passed: passed.insert(fault)
            case .repeated: #expect(fault.kind == .reset(13) && fault.moment == .beforeHead)
            case .failed(let error): #expect(!error.isTimeout, "\(fault): \(error)")
            }
            for result in outcome.company {
                switch result {
                case .success(let count):
                    let isComplete = !fault.endsConnection && count == Outcome.companySize
                    #expect(isComplete || Self.mayPassInCompany(fault), "\(fault): \(count) bytes")
                case .failure(let error):
                    #expect(fault.endsConnection && !error.isTimeout, "\(fault): \(error)")
                }
            }
        }
        #expect(HTTPVersionPolicy.offersHTTP2ByDefault == passed.isEmpty)
        if !HTTPVersionPolicy.offersHTTP2ByDefault {
            #expect(passed == Set(HTTP2Fault.all.filter(Self.passesForWhole)))
        }
    }

    /// The response stays complete though the server resets the upload's stream.
    ///
    /// RFC 9113 section 8.1: the server may reset the stream of a request that it need not read.
    @Test(.enabled(if: HTTPVersionPolicy.offersHTTP2ByDefault))
    func completeResponseIsKeptWhenUploadIsRefused() async throws {
        let peer = try await FaultyHTTP2Peer.shared()
        let client = try PeerClient { $0.httpVersion = .http2 }
        // After a first response without a length, libcurl reports the frames.
        _ = try await client.fetch(peer.url("/body?size=10&length=no"))
        for trailers in ["no", "yes"] {
            let response = try await client.client.send(
                HTTPRequest(method: .post, url: peer.url("/early?trailers=\(trailers)")),
                body: .bytes([UInt8](repeating: 0, count: 4_000_000))
            )
            #expect(try await response.body.collect(upTo: 20_000).count == 10_000)
        }
    }

    @Test(arguments: [nil, Authentication.digest(user: "u", password: "p")])
    func http11RequiredIsRetriedOnlyBeforeHead(
        authentication: Authentication?
    ) async throws {
        let peer = try await FaultyHTTP2Peer.shared()
        let client = try PeerClient {
            $0.httpVersion = .http2
            $0.authentication = authentication
        }
        let early = try await client.fetch(peer.url("/reset?when=before-head&code=13"))
        #expect(early.text == "HTTP/1.1")
        for moment in ["after-head", "mid-body"] {
            let path = "/reset?length=no&when=\(moment)&code=13"
            #expect(await client.failure(peer.url(path)) != nil)
        }
    }

    private enum End: Sendable {
        case failed(TransportError)
        /// The response passed for a complete one.
        case passed
        /// libcurl retried over HTTP/1.1 and got a complete response.
        case repeated
    }

    private func end(
        of fault: HTTP2Fault,
        _ client: PeerClient,
        _ peer: FaultyHTTP2Peer
    ) async throws -> End {
        do throws(TransportError) {
            return try await client.fetch(peer.url(fault.path)).text == "HTTP/1.1"
                ? .repeated : .passed
        } catch {
            return .failed(error)
        }
    }

    private struct Outcome: Sendable {
        static let companySize = 1_000_000
        var end: End
        var company: [Result<Int, TransportError>] = []
    }

    private func provoke(_ fault: HTTP2Fault, at peer: FaultyHTTP2Peer) async throws -> Outcome {
        let client = try PeerClient { $0.httpVersion = .http2 }
        guard fault.hasCompany else {
            return try await Outcome(end: end(of: fault, client, peer))
        }
        let companion =
            fault.endsConnection
            ? "/stall?length=no" : "/body?size=\(Outcome.companySize)&length=no"
        var company: [HTTPClientResponse] = []
        for _ in 0..<3 {
            company.append(try await client.client.send(HTTPRequest(url: peer.url(companion))))
        }
        var outcome = try await Outcome(end: end(of: fault, client, peer))
        for response in company {
            do throws(TransportError) {
                let body = try await response.body.collect(upTo: 2 * Outcome.companySize)
                outcome.company.append(.success(body.count))
            } catch {
                outcome.company.append(.failure(error))
            }
        }
        return outcome
    }
}
