internal import CurlTransport
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlURLSession

@Suite struct TaskStateMemoryTests {
    /// Does nothing.
    private final class IdleLoader: Loader {
        func start() {}
        func cancel() {}
        func allow(receiving: Bool, sending: Bool) {}
    }

    private func head(_ status: Int) throws -> ResponseHead {
        var parser = ResponseHeadParser()
        for line in ["HTTP/1.1 \(status) Text\r\n", "\r\n"] {
            let bytes = Array(line.utf8)
            if case .head(let head) = try parser.receive(bytes.span) { return head }
        }
        throw SupportError("no head")
    }

    /// Whether nobody else has the memory of these bytes: then they aren't moved to be changed.
    private func isAlone(_ bytes: inout [UInt8]) -> Bool {
        let place = bytes.withUnsafeBytes { $0.baseAddress }
        bytes[0] += 1
        return bytes.withUnsafeBytes { $0.baseAddress } == place
    }

    /// What takes the place of something else lets go of it.
    @Test func whatTheProxySaidBeforeIsForgotten() throws {
        let loader = IdleLoader()
        let request = URLRequest(url: try #require(URL(string: "https://origin.test/")))
        var state = TaskState(
            session: nil,
            request: request,
            kind: .data,
            body: .none,
            consumer: .delegate,
            delegate: nil
        )
        state.load = TaskLoad(
            loader: loader,
            plan: LoadPlan(SharedRequest(request), body: .none),
            outgoing: nil,
            started: Date()
        )
        var bytes: [UInt8] = []
        do {
            let first = try head(407)
            state.note(tunnelHead: first, from: loader)
            bytes = first.bytes
        }
        let isKept = !isAlone(&bytes)
        #expect(isKept)
        do {
            let first = try head(407)
            state.note(tunnelHead: first, from: loader)
            bytes = first.bytes
        }
        state.note(tunnelHead: try head(200), from: loader)
        let isForgotten = isAlone(&bytes)
        #expect(isForgotten)
        let status = state.load?.tunnelHead?.statusCode
        #expect(status == 200)
    }
}
