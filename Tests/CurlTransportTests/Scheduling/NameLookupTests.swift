import Curl
import CurlTransport
import HTTPTypes
import TestSupport
import Testing

/// Lookups by the test's own name service, which may delay its answers.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct NameLookupTests {
    private let names = NameService.engine

    private func url(_ host: String, _ server: LoopbackServer) -> String {
        "http://\(host).resolver.test:\(server.port)/"
    }

    /// Newer versions of libcurl look up the addresses of IPv4 and IPv6 in two threads.
    private static let lookupsOfName = CurlVersion.current.isAtLeast(8, 20) ? 2 : 1

    @Test func concurrentLookupsAreLimited() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        var configuration = TransportConfiguration()
        configuration.eventLoopCount = 2
        configuration.maximumNameLookups = 8
        let client = try HTTPClient(configuration: configuration, options: .patient)
        try await names.hold {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<100 {
                    let request = try HTTPRequest(url: url("host-\(number)", server))
                    group.addTask { try await client.send(request).statusCode }
                }
                try await names.lookups(8)
                names.release()
                for try await status in group { #expect(status == 200) }
            }
            #expect(names.mostAtOnce == 8 * Self.lookupsOfName)
        }
        await client.shutdown()
    }

    @Test func concurrentRequestsToNewHostShareOneLookup() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let client = try HTTPClient(options: .patient)
        try await names.hold {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<50 {
                    let request = try HTTPRequest(url: url("one", server))
                    group.addTask { try await client.send(request).statusCode }
                }
                try await names.lookups(1)
                names.release()
                for try await status in group { #expect(status == 200) }
            }
            #expect(names.asked == Self.lookupsOfName)
        }
        await client.shutdown()
    }

    @Test func transferIsCancelledDuringLookup() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let client = try HTTPClient(options: .patient)
        try await names.hold {
            let request = try HTTPRequest(url: url("slow", server))
            let task = Task { try await client.send(request) }
            try await names.lookups(1)
            task.cancel()
            // The lookup is still running: waiting for it would never return.
            let error = await #expect(throws: TransportError.self) { try await task.value }
            #expect(error?.code == .cancelled)
        }
        await client.shutdown()
    }

    @Test func slowLookupDoesNotDelayOthers() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let client = try HTTPClient(options: .patient)
        try await names.hold {
            let slow = try HTTPRequest(url: url("slower", server))
            let task = Task { try await client.send(slow).statusCode }
            try await names.lookups(1)
            let other = try HTTPRequest(url: "http://127.0.0.1:\(server.port)/")
            for _ in 0..<20 { #expect(try await client.send(other).statusCode == 200) }
            names.release()
            #expect(try await task.value == 200)
        }
        await client.shutdown()
    }

    @Test func connectTimeoutEndsLookup() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        var options = TransferOptions()
        options.timeouts.connect = .milliseconds(50)
        let client = try HTTPClient(options: options)
        try await names.hold {
            let request = try HTTPRequest(url: url("never", server))
            let error = await #expect(throws: TransportError.self) {
                try await client.send(request)
            }
            #expect(error?.code == .connectTimeout)
            #expect(error?.phase == .dns)
        }
        await client.shutdown()
    }

    @Test func shutdownDoesNotWaitForLookup() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let client = try HTTPClient(options: .patient)
        try await names.hold {
            let request = try HTTPRequest(url: url("last", server))
            let task = Task { try await client.send(request) }
            try await names.lookups(1)
            await client.shutdown()
            let error = await #expect(throws: TransportError.self) { try await task.value }
            #expect(error?.code == .shutdown)
        }
    }

    @Test("Requests to addresses don't remove a name from the cache")
    func addressesLeaveNamesCached() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        var options = TransferOptions.patient
        options.reusesConnection = false
        let client = try HTTPClient(options: options)
        let named = try HTTPRequest(url: url("cached", server))
        try await names.hold {
            names.release()
            #expect(try await client.send(named).statusCode == 200)
            #expect(names.asked == Self.lookupsOfName)
            for _ in 0..<20 {
                let other = try HTTPRequest(url: "http://127.0.0.1:\(server.port)/")
                #expect(try await client.send(other).statusCode == 200)
            }
            #expect(try await client.send(named).statusCode == 200)
            #expect(names.asked == Self.lookupsOfName)
        }
        await client.shutdown()
    }

    @Test("Names of many hosts are looked up once each")
    func manyNamesStayCached() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        var options = TransferOptions.patient
        options.reusesConnection = false
        let client = try HTTPClient(options: options)
        try await names.hold {
            names.release()
            for _ in 0..<2 {
                for number in 0..<40 {
                    let request = try HTTPRequest(url: url("many-\(number)", server))
                    #expect(try await client.send(request).statusCode == 200)
                }
                #expect(names.asked == 40 * Self.lookupsOfName)
            }
        }
        await client.shutdown()
    }
}
