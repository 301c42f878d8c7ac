import CurlTransport
import Foundation
import TestSupport
import Testing

@testable import CurlURLSession

/// Deprecated properties. The compiler doesn't warn of those that a protocol requires.
private protocol DeprecatedProperties: AnyObject {
    var shouldUseExtendedBackgroundIdleMode: Bool { get set }
    var httpShouldUsePipelining: Bool { get set }
}

extension URLSessionConfiguration: DeprecatedProperties {
    fileprivate var deprecated: any DeprecatedProperties { self }
}

@Suite(.timeLimit(.minutes(10))) struct URLSessionConfigurationTests {
    @Test func aNewConfigurationHasApplesDefaults() {
        for configuration in [
            URLSessionConfiguration.default, .ephemeral, URLSessionConfiguration(),
        ] {
            #expect(configuration.identifier == nil)
            #expect(configuration.requestCachePolicy == .useProtocolCachePolicy)
            #expect(configuration.timeoutIntervalForRequest == 60)
            #expect(configuration.timeoutIntervalForResource == 604_800)
            #expect(configuration.networkServiceType == .default)
            #expect(configuration.allowsCellularAccess)
            #expect(configuration.allowsExpensiveNetworkAccess)
            #expect(configuration.allowsConstrainedNetworkAccess)
            #expect(!configuration.waitsForConnectivity)
            #expect(!configuration.isDiscretionary)
            #expect(configuration.sharedContainerIdentifier == nil)
            #expect(!configuration.deprecated.shouldUseExtendedBackgroundIdleMode)
            #expect(configuration.connectionProxyDictionary == nil)
            #expect(configuration.tlsMinimumSupportedProtocolVersion == .TLSv12)
            #expect(configuration.tlsMaximumSupportedProtocolVersion == .TLSv13)
            #expect(!configuration.deprecated.httpShouldUsePipelining)
            #expect(configuration.httpShouldSetCookies)
            #expect(configuration.httpCookieAcceptPolicy == .onlyFromMainDocumentDomain)
            #expect(configuration.httpAdditionalHeaders == nil)
            #expect(configuration.httpMaximumConnectionsPerHost == 6)
            // Not nil: inserting a class into nil would have no effect.
            #expect(configuration.protocolClasses?.isEmpty == true)
            #expect(configuration.tlsConfiguration == TLSConfiguration())
            #expect(configuration.httpVersion == .automatic)
            #expect(!configuration.usesEnvironmentProxies)
            #expect(configuration.timeoutIntervalForConnection == nil)
            #expect(configuration.timeoutIntervalInQueue == nil)
            #expect(configuration.maximumQueuedTransfers == nil)
            #expect(configuration.connectionLifetime == 600)
            #expect(configuration.idleConnectionLifetime == 60)
            #expect(configuration.maximumIdleConnections == 1024)
            #expect(configuration.dnsCacheLifetime == 60)
            #expect(configuration.eventLoopCount == nil)
            #expect(configuration.addsFormContentType)
        }
    }

    @Test(arguments: [false, true]) func defaultConfigurationSharesItsStorages(isDefault: Bool)
        async throws
    {
        let make: @Sendable () -> URLSessionConfiguration = { isDefault ? .default : .init() }
        let configuration = make()
        #expect(configuration.httpCookieStorage === HTTPCookieStorage.shared)
        #expect(configuration.urlCredentialStorage === URLCredentialStorage.shared)
        // Another test replaces the shared cache for a moment.
        try await Inspection.wait { make().urlCache === URLCache.shared }
    }

    @Test func ephemeralStoragesAreInMemory() {
        let one = URLSessionConfiguration.ephemeral
        let other = URLSessionConfiguration.ephemeral
        #expect(one.httpCookieStorage != nil)
        #expect(one.httpCookieStorage !== HTTPCookieStorage.shared)
        #expect(one.httpCookieStorage !== other.httpCookieStorage)
        #expect(one.urlCredentialStorage != nil)
        #expect(one.urlCredentialStorage !== URLCredentialStorage.shared)
        #expect(one.urlCredentialStorage !== other.urlCredentialStorage)
        #expect(one.urlCache != nil)
        #expect(one.urlCache !== URLCache.shared)
        #expect(one.urlCache !== other.urlCache)
        #expect(one.urlCache?.diskCapacity == 0)
    }

    /// A change to each property.
    static let changes: [(name: String, make: @Sendable (URLSessionConfiguration) -> Void)] = [
        ("identifier", { $0.identifier = "i" }),
        ("requestCachePolicy", { $0.requestCachePolicy = .reloadIgnoringLocalCacheData }),
        ("timeoutIntervalForRequest", { $0.timeoutIntervalForRequest = 0.5 }),
        ("timeoutIntervalForResource", { $0.timeoutIntervalForResource = 0.5 }),
        ("networkServiceType", { $0.networkServiceType = .video }),
        ("allowsCellularAccess", { $0.allowsCellularAccess = false }),
        ("allowsExpensiveNetworkAccess", { $0.allowsExpensiveNetworkAccess = false }),
        ("allowsConstrainedNetworkAccess", { $0.allowsConstrainedNetworkAccess = false }),
        ("waitsForConnectivity", { $0.waitsForConnectivity = true }),
        ("isDiscretionary", { $0.isDiscretionary = true }),
        (
            "shouldUseExtendedBackgroundIdleMode",
            { $0.deprecated.shouldUseExtendedBackgroundIdleMode = true }
        ),
        ("connectionProxyDictionary", { $0.connectionProxyDictionary = ["HTTPEnable": 0] }),
        ("tlsMinimum", { $0.tlsMinimumSupportedProtocolVersion = .TLSv11 }),
        ("tlsMaximum", { $0.tlsMaximumSupportedProtocolVersion = .TLSv12 }),
        ("httpShouldUsePipelining", { $0.deprecated.httpShouldUsePipelining = true }),
        ("httpShouldSetCookies", { $0.httpShouldSetCookies = false }),
        ("httpCookieAcceptPolicy", { $0.httpCookieAcceptPolicy = .never }),
        ("httpAdditionalHeaders", { $0.httpAdditionalHeaders = ["A": "1"] }),
        ("httpMaximumConnectionsPerHost", { $0.httpMaximumConnectionsPerHost = 1 }),
        ("httpCookieStorage", { $0.httpCookieStorage = nil }),
        ("urlCredentialStorage", { $0.urlCredentialStorage = nil }),
        ("urlCache", { $0.urlCache = nil }),
        ("protocolClasses", { $0.protocolClasses = [NSObject.self] }),
        ("tlsConfiguration", { $0.tlsConfiguration.cipherList = "c" }),
        ("httpVersion", { $0.httpVersion = .http1 }),
        ("usesEnvironmentProxies", { $0.usesEnvironmentProxies = true }),
        ("timeoutIntervalForConnection", { $0.timeoutIntervalForConnection = 0.5 }),
        ("timeoutIntervalInQueue", { $0.timeoutIntervalInQueue = 0.5 }),
        ("maximumQueuedTransfers", { $0.maximumQueuedTransfers = 7 }),
        ("connectionLifetime", { $0.connectionLifetime = nil }),
        ("idleConnectionLifetime", { $0.idleConnectionLifetime = 5 }),
        ("maximumIdleConnections", { $0.maximumIdleConnections = 8 }),
        ("dnsCacheLifetime", { $0.dnsCacheLifetime = 0 }),
        ("eventLoopCount", { $0.eventLoopCount = 2 }),
        ("keepsFailedDownloads", { $0.keepsFailedDownloads = false }),
        ("allowsResumableUploads", { $0.allowsResumableUploads = false }),
        ("addsFormContentType", { $0.addsFormContentType = false }),
        ("decompressionLimit", { $0.decompressionLimit = nil }),
        ("transferObservers", { $0.transferObservers = [NoObserver()] }),
    ]

    private struct NoObserver: TransferObserver {
        func transferDidEnd(_ end: TransferEnd) {}
    }

    /// The properties of a configuration, as text.
    private func shown(_ configuration: URLSessionConfiguration) -> [String] {
        func name(_ object: AnyObject?) -> String {
            object.map { "\(ObjectIdentifier($0))" } ?? "nil"
        }
        return [
            "\(configuration.identifier ?? "nil") \(configuration.requestCachePolicy)",
            "\(configuration.timeoutIntervalForRequest)",
            "\(configuration.timeoutIntervalForResource)",
            "\(configuration.timeoutIntervalForConnection ?? -1)",
            "\(configuration.timeoutIntervalInQueue ?? -1)",
            "\(configuration.maximumQueuedTransfers ?? -1)",
            "\(configuration.connectionLifetime ?? -1) \(configuration.idleConnectionLifetime)",
            "\(configuration.maximumIdleConnections) \(configuration.dnsCacheLifetime)",
            "\(configuration.eventLoopCount ?? -1)",
            "\(configuration.networkServiceType) \(configuration.allowsCellularAccess)",
            "\(configuration.allowsExpensiveNetworkAccess)",
            "\(configuration.allowsConstrainedNetworkAccess)",
            "\(configuration.waitsForConnectivity) \(configuration.isDiscretionary)",
            "\(configuration.deprecated.shouldUseExtendedBackgroundIdleMode)",
            "\(configuration.connectionProxyDictionary ?? [:])",
            "\(configuration.tlsConfiguration)",
            "\(configuration.deprecated.httpShouldUsePipelining)",
            "\(configuration.httpShouldSetCookies)",
            "\(configuration.httpCookieAcceptPolicy) \(configuration.httpVersion)",
            "\(configuration.httpAdditionalHeaders ?? [:])",
            "\(configuration.httpMaximumConnectionsPerHost)",
            "\(configuration.usesEnvironmentProxies) \(configuration.keepsFailedDownloads)",
            "\(configuration.allowsResumableUploads) \(configuration.addsFormContentType)",
            configuration.decompressionLimit.map { "\($0)" } ?? "nil",
            "\(configuration.transferObservers.count)",
            name(configuration.httpCookieStorage), name(configuration.urlCredentialStorage),
            name(configuration.urlCache), "\(configuration.protocolClasses ?? [])",
        ]
    }

    @Test("E4: Every configuration property can be set and is copied", arguments: changes.indices)
    func everyPropertyIsCopiedIndependently(index: Int) throws {
        let original = URLSessionConfiguration.default
        let plain = shown(original)
        Self.changes[index].make(original)
        #expect(shown(original) != plain, "\(Self.changes[index].name)")
        let copy = try #require(original.copy() as? URLSessionConfiguration)
        #expect(copy !== original)
        #expect(shown(copy) == shown(original), "\(Self.changes[index].name)")
        let changed = shown(original)
        copy.timeoutIntervalForRequest = 7
        copy.httpAdditionalHeaders = ["B": "2"]
        #expect(shown(original) == changed)
    }

    @Test func everyConfigurationIsANewObject() {
        URLSessionConfiguration.default.timeoutIntervalForRequest = 1
        #expect(URLSessionConfiguration.default.timeoutIntervalForRequest == 60)
    }

    @Test func dictionariesAreReturnedUnchanged() throws {
        let configuration = URLSessionConfiguration.default
        configuration.httpAdditionalHeaders = ["A": "1", "B": "2"]
        #expect(configuration.httpAdditionalHeaders as? [String: String] == ["A": "1", "B": "2"])
        configuration.httpAdditionalHeaders?["C"] = "3"
        #expect(configuration.httpAdditionalHeaders?.count == 3)
        configuration.connectionProxyDictionary = [
            "HTTPEnable": 1, "HTTPProxy": "p", "HTTPPort": NSNumber(value: 8080),
            "SOCKSEnable": false, "ExceptionsList": ["a", "b"],
        ]
        let proxies = try #require(configuration.connectionProxyDictionary)
        #expect(proxies["HTTPEnable"] as? Int == 1)
        #expect(proxies["HTTPProxy"] as? String == "p")
        #expect(proxies["HTTPPort"] as? Int == 8080)
        #expect(proxies["SOCKSEnable"] as? Bool == false)
        #expect(proxies["ExceptionsList"] as? [String] == ["a", "b"])
        configuration.connectionProxyDictionary = nil
        configuration.httpAdditionalHeaders = nil
        #expect(configuration.connectionProxyDictionary == nil)
        #expect(configuration.httpAdditionalHeaders == nil)
    }

    @Test func mutableHeaderValuesAreCopied() throws {
        let configuration = URLSessionConfiguration.default
        let text = NSMutableString(string: "before")
        configuration.httpAdditionalHeaders = ["A": text]
        text.append(" and after")
        #expect(configuration.httpAdditionalHeaders?["A"] as? String == "before")
    }

    @Test(arguments: [
        (tls_protocol_version_t.TLSv10, TLSVersion.v1_0), (.TLSv11, .v1_1), (.TLSv12, .v1_2),
        (.TLSv13, .v1_3), (.DTLSv10, .v1_1), (.DTLSv12, .v1_2),
    ])
    func tlsVersionsMapToTheTransports(version: tls_protocol_version_t, expected: TLSVersion) {
        let configuration = URLSessionConfiguration.default
        configuration.tlsMinimumSupportedProtocolVersion = version
        configuration.tlsMaximumSupportedProtocolVersion = version
        #expect(configuration.tlsConfiguration.minimumVersion == expected)
        #expect(configuration.tlsConfiguration.maximumVersion == expected)
        let stream = tls_protocol_version_t(expected)
        #expect(configuration.tlsMinimumSupportedProtocolVersion == stream)
        #expect(configuration.tlsMaximumSupportedProtocolVersion == stream)
    }

    @Test func protocolClassesKeepTheirOrder() {
        let configuration = URLSessionConfiguration.default
        configuration.protocolClasses?.insert(NSObject.self, at: 0)
        configuration.protocolClasses?.insert(NSString.self, at: 0)
        #expect(configuration.protocolClasses?.map { "\($0)" } == ["NSString", "NSObject"])
        configuration.protocolClasses = nil
        #expect(configuration.protocolClasses == nil)
    }

    @Test func anyThreadCanUseIt() {
        let configuration = URLSessionConfiguration.ephemeral
        DispatchQueue.concurrentPerform(iterations: 200) { index in
            configuration.httpAdditionalHeaders = ["A": "\(index)"]
            configuration.timeoutIntervalForRequest = Double(index + 1)
            let settings = configuration.frozen()
            #expect(settings.timeoutIntervalForRequest >= 1)
            #expect(settings.additionalFields["A"] != nil)
        }
    }
}
