import Foundation
import TestSupport
import Testing

@testable import CurlURLSession

private class SchemeMock: URLProtocol {
    class var scheme: String { "" }

    override class func canInit(with request: URLRequest) -> Bool {
        request.url?.scheme == scheme
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = request.url else { return }
        let response = URLResponse(
            url: url,
            mimeType: nil,
            expectedContentLength: -1,
            textEncodingName: nil
        )
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data("\(Self.self)".utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}

private final class FirstMock: SchemeMock {
    override class var scheme: String { "registered" }
}

private final class SecondMock: SchemeMock {
    override class var scheme: String { "registered" }
}

private final class SharedMock: URLProtocol {
    static let host = UUID().uuidString.lowercased() + ".invalid"

    override class func canInit(with request: URLRequest) -> Bool { request.url?.host() == host }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        client?.urlProtocol(self, didLoad: Data("shared".utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}

private final class ClaimingMock: URLProtocol {
    static let path = "/" + UUID().uuidString

    override class func canInit(with request: URLRequest) -> Bool { request.url?.path() == path }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        client?.urlProtocol(self, didLoad: Data("claimed".utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}

// Registrations apply to the whole process, so the tests run one after the other.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ProtocolRegistryTests {
    @Test func lastRegisteredProtocolIsAskedFirst() {
        let registry = ProtocolRegistry()
        func names() -> [String] { registry.classes.map { "\($0)" } }
        registry.register(FirstMock.self)
        registry.register(SecondMock.self)
        #expect(names() == ["SecondMock", "FirstMock"])
        registry.register(FirstMock.self)
        #expect(names() == ["FirstMock", "SecondMock"])
        registry.unregister(FirstMock.self)
        registry.unregister(FirstMock.self)
        #expect(names() == ["SecondMock"])
    }

    @Test func onlyProtocolsCanBeRegistered() {
        #expect(!URLProtocol.registerClass(NSObject.self))
        #expect(!URLProtocol.registerClass(Gate.self))
        URLProtocol.unregisterClass(NSObject.self)
        #expect(URLProtocol.registerClass(FirstMock.self))
        URLProtocol.unregisterClass(FirstMock.self)
    }

    @Test func registryCanBeChangedFromManyThreads() async {
        let registry = ProtocolRegistry()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let type: URLProtocol.Type =
                        number.isMultiple(of: 2) ? FirstMock.self : SecondMock.self
                    registry.register(type)
                    _ = registry.classes
                }
            }
        }
        #expect(registry.classes.count == 2)
    }

    @Test func sharedSessionUsesRegisteredProtocols() async throws {
        let url = try #require(URL(string: "https://\(SharedMock.host)/"))
        #expect(URLProtocol.registerClass(SharedMock.self))
        defer { URLProtocol.unregisterClass(SharedMock.self) }
        let (data, _) = try await URLSession.shared.data(from: url)
        #expect(data == Data("shared".utf8))
    }

    @Test func unsupportedSchemeUsesRegisteredProtocols() async throws {
        let url = try #require(URL(string: "registered://host/"))
        let mocks = MockSession([])
        let before = await #expect(throws: URLError.self) { try await mocks.text(url) }
        #expect(before?.code == .unsupportedURL)
        #expect(URLProtocol.registerClass(FirstMock.self))
        defer { URLProtocol.unregisterClass(FirstMock.self) }
        #expect(try await mocks.text(url).0 == "FirstMock")
        #expect(URLProtocol.registerClass(SecondMock.self))
        #expect(try await mocks.text(url).0 == "SecondMock")
        URLProtocol.unregisterClass(SecondMock.self)
        #expect(try await mocks.text(url).0 == "FirstMock")
    }

    @Test func otherSessionsUseTheirConfigurationsProtocols() async throws {
        let server = try LoopbackServer { _ in .text("network") }
        let url = try #require(URL(string: server.url + ClaimingMock.path))
        #expect(URLProtocol.registerClass(ClaimingMock.self))
        defer { URLProtocol.unregisterClass(ClaimingMock.self) }
        #expect(try await MockSession([]).text(url).0 == "network")
        #expect(try await URLSession.shared.data(from: url).0 == Data("claimed".utf8))
        #expect(server.requestCount == 1)
    }

    @Test func configurationsProtocolsAreAskedInOrder() async throws {
        let url = try #require(URL(string: "registered://host/"))
        let first = MockSession([FirstMock.self, SecondMock.self])
        #expect(try await first.text(url).0 == "FirstMock")
        let second = MockSession([
            NSObject.self, ScriptedMock.self, SecondMock.self, FirstMock.self,
        ])
        #expect(try await second.text(url).0 == "SecondMock")
    }

    @Test func defaultConfigurationHasAProtocolList() async throws {
        for configuration in [URLSessionConfiguration.default, .ephemeral] {
            configuration.protocolClasses?.insert(ScriptedMock.self, at: 0)
            let session = URLSession(configuration: configuration)
            let url = try ScriptedMock.url { $0.answer("inserted") }
            #expect(try await session.data(from: url).0 == Data("inserted".utf8))
            session.invalidateAndCancel()
        }
    }
}
