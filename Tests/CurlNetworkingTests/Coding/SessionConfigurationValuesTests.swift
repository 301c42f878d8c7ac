internal import CurlNetworking
internal import Foundation
internal import Testing

@Suite struct SessionConfigurationValuesTests {
    @Test("S-17: The values of a configuration are encoded and decoded")
    func valuesAreWrittenAndRead() throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.identifier = "mine"
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.timeoutIntervalForRequest = 1.5
        configuration.timeoutIntervalForResource = 2.5
        configuration.timeoutIntervalForConnection = 0.5
        configuration.timeoutIntervalInQueue = 0.25
        configuration.maximumQueuedTransfers = 7
        configuration.connectionLifetime = nil
        configuration.idleConnectionLifetime = 30
        configuration.maximumIdleConnections = 8
        configuration.dnsCacheLifetime = 0.5
        configuration.eventLoopCount = 2
        configuration.waitsForConnectivity = true
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpAdditionalHeaders = ["X-One": "1"]
        configuration.httpMaximumConnectionsPerHost = 9
        configuration.keepsFailedDownloads = false
        configuration.addsFormContentType = false
        let values = SessionConfigurationValues(configuration)
        let data = try JSONEncoder().encode(values)
        let decoded = try JSONDecoder().decode(SessionConfigurationValues.self, from: data)
        #expect(decoded == values)
        let manager = URLSessionManager(sessionConfiguration: decoded.configuration)
        let made = manager.session.configuration
        #expect(SessionConfigurationValues(made) == values)
        #expect(made.timeoutIntervalForConnection == 0.5)
        #expect(made.timeoutIntervalInQueue == 0.25)
        #expect(made.maximumQueuedTransfers == 7)
        #expect(made.connectionLifetime == nil)
        #expect(made.idleConnectionLifetime == 30)
        #expect(made.maximumIdleConnections == 8)
        #expect(made.dnsCacheLifetime == 0.5)
        #expect(made.eventLoopCount == 2)
        #expect(made.httpAdditionalHeaders?["X-One"] as? String == "1")
        #expect(made.httpCookieAcceptPolicy == .never)
        #expect(!made.addsFormContentType)
        // Storages aren't encoded.
        #expect(made.httpCookieStorage === HTTPCookieStorage.shared)
        decoded.apply(to: configuration)
        #expect(configuration.httpCookieStorage !== HTTPCookieStorage.shared)
    }

    @Test("S-17: Each value of a configuration is encoded under its own top-level key")
    func codedFormIsFlat() throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.identifier = "mine"
        configuration.timeoutIntervalForConnection = 0.5
        configuration.timeoutIntervalInQueue = 0.25
        configuration.maximumQueuedTransfers = 7
        configuration.eventLoopCount = 2
        configuration.httpAdditionalHeaders = ["X-One": "1"]
        configuration.tlsMaximumSupportedProtocolVersion = .TLSv13
        configuration.decompressionLimits = (7, 5)
        let data = try JSONEncoder().encode(SessionConfigurationValues(configuration))
        let coded = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let names: Set = [
            "identifier", "requestCachePolicy", "timeoutIntervalForRequest",
            "timeoutIntervalForResource", "timeoutIntervalForConnection", "networkServiceType",
            "allowsCellularAccess", "allowsExpensiveNetworkAccess",
            "allowsConstrainedNetworkAccess", "waitsForConnectivity", "isDiscretionary",
            "httpShouldUsePipelining", "httpShouldSetCookies", "httpCookieAcceptPolicy",
            "httpAdditionalHeaders", "httpMaximumConnectionsPerHost", "usesEnvironmentProxies",
            "keepsFailedDownloads", "allowsResumableUploads", "tlsMinimumVersion", "httpVersion",
            "limitsDecompression", "tlsMaximumVersion", "decompressionLimit", "limitsQueue",
            "timeoutIntervalInQueue", "maximumQueuedTransfers", "connectionLifetime",
            "idleConnectionLifetime", "maximumIdleConnections", "dnsCacheLifetime",
            "eventLoopCount", "addsFormContentType",
        ]
        #expect(Set(coded.keys) == names)
        #expect(coded["decompressionLimit"] as? [String: Int] == ["bytes": 7, "ratio": 5])
    }

    @Test("S-17: TLS and HTTP versions and decompression limits are encoded and decoded")
    func versionsAndLimitsComeBack() throws {
        let configuration = URLSessionConfiguration.default
        configuration.tlsMinimumSupportedProtocolVersion = .TLSv13
        configuration.tlsMaximumSupportedProtocolVersion = .TLSv13
        configuration.httpVersionName = "http1"
        for limits: (bytes: Int64, ratio: Int64)? in [nil, (7, 5)] {
            configuration.decompressionLimits = limits
            let values = SessionConfigurationValues(configuration)
            let data = try JSONEncoder().encode(values)
            let decoded = try JSONDecoder().decode(SessionConfigurationValues.self, from: data)
            #expect(decoded == values)
            let made = decoded.configuration
            #expect(made.tlsMinimumSupportedProtocolVersion == .TLSv13)
            #expect(made.tlsMaximumVersionNumber == tls_protocol_version_t.TLSv13.rawValue)
            #expect(made.httpVersionName == "http1")
            #expect(made.decompressionLimits?.bytes == limits?.bytes)
            #expect(made.decompressionLimits?.ratio == limits?.ratio)
        }
        for name in ["automatic", "http1", "http2", "http2PriorKnowledge", "http3"] {
            configuration.httpVersionName = name
            #expect(SessionConfigurationValues(configuration).configuration.httpVersionName == name)
        }
        // By default there is no maximum TLS version, and there is a decompression limit.
        let usual = SessionConfigurationValues(.default)
        usual.apply(to: configuration)
        #expect(configuration.tlsMaximumVersionNumber == nil)
        #expect(configuration.tlsMinimumSupportedProtocolVersion == .TLSv12)
        #expect(configuration.decompressionLimits != nil)
    }

    @Test("S-17: Values of an earlier version without the newer keys can be decoded")
    func valuesWithoutNewerKeysAreDecoded() throws {
        let data = try JSONEncoder().encode(SessionConfigurationValues(.default))
        var fields = try #require(
            JSONSerialization.jsonObject(with: data) as? [String: any Sendable]
        )
        for name in [
            "tlsMinimumVersion", "httpVersion", "limitsDecompression", "decompressionLimit",
            "connectionLifetime", "idleConnectionLifetime", "maximumIdleConnections",
            "dnsCacheLifetime", "addsFormContentType",
        ] {
            #expect(fields.removeValue(forKey: name) != nil)
        }
        let former = try JSONSerialization.data(withJSONObject: fields)
        let decoded = try JSONDecoder().decode(SessionConfigurationValues.self, from: former)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.tlsMinimumSupportedProtocolVersion = .TLSv13
        configuration.httpVersionName = "http1"
        configuration.addsFormContentType = false
        configuration.connectionLifetime = 7
        configuration.maximumIdleConnections = 8
        decoded.apply(to: configuration)
        #expect(configuration.connectionLifetime == 7)
        #expect(configuration.maximumIdleConnections == 8)
        #expect(configuration.tlsMinimumSupportedProtocolVersion == .TLSv13)
        #expect(configuration.httpVersionName == "http1")
        #expect(!configuration.addsFormContentType)
        #expect(decoded.configuration.decompressionLimits?.bytes == 64 << 20)
    }

    @Test("S-17: The values of the default configuration restore the default configuration")
    func defaultValuesRestoreTheDefaultConfiguration() {
        let values = SessionConfigurationValues(.default)
        #expect(SessionConfigurationValues(values.configuration) == values)
        #expect(values.configuration.httpAdditionalHeaders == nil)
    }
}
