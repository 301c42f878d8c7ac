import CurlTransport
import Foundation
internal import HTTPSemantics
import Testing

@testable import CurlURLSession

struct SessionSettingsTests {
    private func settings(
        _ change: (URLSessionConfiguration) -> Void = { _ in }
    ) -> SessionSettings {
        let configuration = URLSessionConfiguration.ephemeral
        change(configuration)
        return configuration.frozen()
    }

    private func request(
        _ text: String = "http://example.com/a",
        timeout: TimeInterval? = nil
    ) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: text)))
        if let timeout { request.timeoutInterval = timeout }
        return request
    }

    // MARK: Snapshot

    @Test func laterConfigurationChangesHaveNoEffect() throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 5
        configuration.httpAdditionalHeaders = ["A": "1"]
        let settings = configuration.frozen()
        configuration.timeoutIntervalForRequest = 6
        configuration.httpAdditionalHeaders = nil
        configuration.urlCache = nil
        #expect(settings.timeoutIntervalForRequest == 5)
        #expect(try settings.options(for: request()).options.timeouts.idle == .seconds(5))
        #expect(settings.fields(for: try request()).dictionary == ["A": "1"])
        #expect(settings.urlCache != nil)
    }

    @Test func storagesAndPoliciesComeFromTheConfiguration() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieAcceptPolicy = .always
        configuration.httpShouldSetCookies = false
        configuration.waitsForConnectivity = true
        configuration.protocolClasses = [NSObject.self]
        let settings = configuration.frozen()
        #expect(settings.httpCookieStorage === configuration.httpCookieStorage)
        #expect(settings.urlCredentialStorage === configuration.urlCredentialStorage)
        #expect(settings.urlCache === configuration.urlCache)
        #expect(settings.httpCookieAcceptPolicy == .always)
        #expect(!settings.httpShouldSetCookies)
        #expect(settings.waitsForConnectivity)
        #expect(settings.protocols.classes.count == 1)
    }

    @Test func configurationSubclassOverridesApply() throws {
        final class Hurried: URLSessionConfiguration, @unchecked Sendable {
            override var timeoutIntervalForRequest: TimeInterval {
                get { 0.25 }
                set {}
            }
        }
        let settings = Hurried().frozen()
        #expect(try settings.options(for: request()).options.timeouts.idle == .milliseconds(250))
    }

    // MARK: Timeouts and limits

    @Test("C1: A request's timeout overrides the session's, and both keep fractions")
    func requestTimeoutOverridesTheSessions() throws {
        let settings = settings { $0.timeoutIntervalForRequest = 1.9 }
        func idle(_ request: URLRequest) throws -> Duration? {
            try settings.options(for: request).options.timeouts.idle
        }
        #expect(try idle(request()) == .milliseconds(1_900))
        #expect(try idle(request(timeout: 0.9)) == .milliseconds(900))
        #expect(try idle(request(timeout: 60)) == .seconds(60))
        #expect(try idle(request(timeout: 0)) == nil)
        #expect(try idle(request(timeout: .nan)) == nil)
        #expect(try idle(request(timeout: .infinity)) == nil)
    }

    @Test("C2: The resource timeout keeps its fractions of a second")
    func resourceTimeoutKeepsFractions() {
        #expect(settings().resourceLimit == .seconds(604_800))
        let short = settings { $0.timeoutIntervalForResource = 0.7 }
        #expect(short.resourceLimit == .milliseconds(700))
        #expect(settings { $0.timeoutIntervalForResource = 0 }.resourceLimit == nil)
    }

    @Test("C3: The timeout for connecting is its own setting or the request's timeout")
    func connectTimeoutHasItsOwnSetting() throws {
        let plain = try settings().options(for: request(timeout: 7)).options.timeouts
        #expect(plain.connect == .seconds(7))
        #expect(plain.total == nil)
        let own = settings { $0.timeoutIntervalForConnection = 0.5 }
        let timeouts = try own.options(for: request(timeout: 7)).options.timeouts
        #expect(timeouts.connect == .milliseconds(500))
        #expect(timeouts.idle == .seconds(7))
        let none = settings { $0.timeoutIntervalForConnection = 0 }
        #expect(try none.options(for: request()).options.timeouts.connect == nil)
    }

    @Test("The session's queue limits become the transport's")
    func queueLimitsArePassedToTheTransport() throws {
        #expect(try settings().options(for: request()).options.timeouts.queue == nil)
        #expect(settings().transportConfiguration().maximumQueued == nil)
        let own = settings {
            $0.timeoutIntervalInQueue = 0.5
            $0.maximumQueuedTransfers = 7
        }
        let timeouts = try own.options(for: request()).options.timeouts
        #expect(timeouts.queue == .milliseconds(500))
        #expect(own.transportConfiguration().maximumQueued == 7)
        let none = settings { $0.timeoutIntervalInQueue = 0 }
        #expect(try none.options(for: request()).options.timeouts.queue == nil)
    }

    @Test("The session's connection limits become the transport's")
    func connectionLimitsArePassedToTheTransport() {
        let usual = settings().transportConfiguration()
        #expect(usual.connectionLifetime == .seconds(600))
        #expect(usual.idleConnectionLifetime == .seconds(60))
        #expect(usual.maximumIdleConnections == 1024)
        #expect(usual.dnsCacheLifetime == .seconds(60))
        #expect(usual.eventLoopCount == nil)
        let own = settings {
            $0.connectionLifetime = 0.5
            $0.idleConnectionLifetime = .infinity
            $0.maximumIdleConnections = 8
            $0.dnsCacheLifetime = 0
            $0.eventLoopCount = 2
        }.transportConfiguration()
        #expect(own.connectionLifetime == .milliseconds(500))
        #expect(own.idleConnectionLifetime > .seconds(3_000_000_000))
        #expect(own.maximumIdleConnections == 8)
        #expect(own.dnsCacheLifetime == .zero)
        #expect(own.eventLoopCount == 2)
        for lifetime in [nil, 0, -1, .nan] as [TimeInterval?] {
            let unlimited = settings { $0.connectionLifetime = lifetime }
            #expect(unlimited.transportConfiguration().connectionLifetime == nil)
        }
    }

    @Test func connectionsPerHostAreLimited() {
        #expect(settings().transportConfiguration().maximumConnectionsPerHost == 6)
        let numbers: [(Int, Int?)] = [(1, 1), (0, nil), (-1, nil), (Int.max, Int.max)]
        for (number, expected) in numbers {
            let settings = settings { $0.httpMaximumConnectionsPerHost = number }
            #expect(settings.transportConfiguration().maximumConnectionsPerHost == expected)
        }
    }

    // MARK: Options

    @Test func similarRequestsShareOptions() throws {
        let settings = settings()
        let options = try settings.options(for: request())
        #expect(try settings.options(for: request("https://other.example/b")) === options)
        #expect(try settings.options(for: request(timeout: 60)) === options)
        let hurried = try settings.options(for: request(timeout: 1))
        #expect(hurried !== options)
        #expect(try settings.options(for: request(timeout: 1)) === hurried)
        let asked = try settings.options(for: request(), evaluatesServerTrust: true)
        #expect(asked.options.tls.evaluatesServerTrust)
        #expect(!options.options.tls.evaluatesServerTrust)
        #expect(try settings.options(for: request(), evaluatesServerTrust: true) === asked)
        #expect(try settings.options(for: request()) === options)
    }

    @Test func transportFollowsNoRedirects() throws {
        let options = try settings().options(for: request()).options
        #expect(options.redirects.mode == .refuse)
        #expect(options.decodesContent)
    }

    @Test func optionsCanBeChangedBeforePreparation() throws {
        let settings = settings { $0.tlsMinimumSupportedProtocolVersion = .TLSv13 }
        let plain = try settings.transferOptions(for: request(timeout: 2))
        #expect(plain == (try settings.options(for: request(timeout: 2)).options))
        #expect(plain.tls.minimumVersion == .v1_3)
    }

    @Test("D5: The TLS configuration is passed on to the transport")
    func tlsConfigurationReachesTheTransport() throws {
        var tls = TLSConfiguration()
        tls.trustRoots = .file("/etc/passwd")
        tls.clientIdentity = .pkcs12([1, 2, 3], password: "p")
        tls.minimumVersion = .v1_3
        tls.publicKeyPins = [String(repeating: "A", count: 43) + "="]
        let settings = settings { [tls] in $0.tlsConfiguration = tls }
        #expect(try settings.options(for: request()).options.tls == tls)
    }

    @Test("D5: Settings that can't be honoured fail every task and are named")
    func unsupportedSettingsFailEveryTask() throws {
        let settings = settings {
            $0.tlsMinimumSupportedProtocolVersion = .TLSv13
            $0.tlsMaximumSupportedProtocolVersion = .TLSv12
        }
        for _ in 0..<2 {
            let error = #expect(throws: TransportError.self) {
                try settings.options(for: request())
            }
            #expect(error?.code == .configuration)
            #expect(error?.message.contains("maximumVersion") == true)
        }
        let proxies = self.settings { $0.connectionProxyDictionary = ["HTTPEnable": 1] }
        let error = #expect(throws: TransportError.self) { try proxies.options(for: request()) }
        #expect(error?.message.contains("HTTPProxy") == true)
        #expect(error.map { URLError($0, url: nil).code } == .unknown)
    }

    @Test("C21: Environment proxies are used only if the configuration says so")
    func theEnvironmentsProxiesAreUsedOnRequestOnly() throws {
        #expect(try settings().options(for: request()).options.proxy == .none)
        let asked = settings { $0.usesEnvironmentProxies = true }
        #expect(try asked.transferOptions(for: request()).proxy == .environment)
        // A dictionary, even an empty one, overrides the environment.
        let none = settings {
            $0.usesEnvironmentProxies = true
            $0.connectionProxyDictionary = [:]
        }
        #expect(try none.options(for: request()).options.proxy == .none)
    }

    @Test func http3IsRequestedWhenLibcurlSupportsIt() throws {
        var request = try request("https://example.com/")
        request.assumesHTTP3Capable = true
        let version = try settings().options(for: request).options.httpVersion
        #expect(version == (HTTPVersionPolicy.offersHTTP3 ? .http3 : .automatic))
        var clear = try self.request("http://example.com/")
        clear.assumesHTTP3Capable = true
        #expect(try settings().options(for: clear).options.httpVersion == .automatic)
        let old = settings { $0.httpVersion = .http1 }
        #expect(try old.options(for: clear).options.httpVersion == .http1)
    }

    // MARK: Header fields and policies

    @Test func requestFieldsOverrideTheSessions() throws {
        let settings = settings {
            $0.httpAdditionalHeaders = ["Accept": "a", "X-Key": "k", "user-agent": "u", "N": 5]
        }
        #expect(
            settings.fields(for: try request()).dictionary
                == ["Accept": "a", "X-Key": "k", "user-agent": "u", "N": "5"]
        )
        var own = try request()
        own.setValue("b", forHTTPHeaderField: "accept")
        own.setValue("v", forHTTPHeaderField: "User-Agent")
        own.setValue("o", forHTTPHeaderField: "Own")
        let fields = settings.fields(for: own)
        #expect(
            fields.dictionary
                == ["Accept": "b", "User-Agent": "v", "Own": "o", "N": "5", "X-Key": "k"]
        )
        #expect(fields.lines.prefix(3).map(\.name) == ["Accept", "User-Agent", "Own"])
        #expect(self.settings().fields(for: own) == own.state.headerFields)
        #expect(self.settings().fields(for: try request()).lines.isEmpty)
    }

    @Test func proxyIsChosenByScheme() throws {
        let settings = settings {
            $0.connectionProxyDictionary = [
                "HTTPEnable": 1, "HTTPProxy": "plain", "HTTPSEnable": 1, "HTTPSProxy": "secure",
            ]
        }
        let hosts = try ["http", "ws", "https", "wss"].map { scheme in
            settings.proxy(for: try #require(URL(string: "\(scheme)://example.org/")))?.host
        }
        #expect(hosts == ["plain", "plain", "secure", "secure"])
    }

    @Test func requestCachePolicyOverridesTheSessions() throws {
        let settings = settings { $0.requestCachePolicy = .returnCacheDataElseLoad }
        var request = try request()
        #expect(settings.cachePolicy(for: request) == .returnCacheDataElseLoad)
        request.cachePolicy = .reloadIgnoringLocalCacheData
        #expect(settings.cachePolicy(for: request) == .reloadIgnoringLocalCacheData)
    }
}
