internal import CurlNetworking
internal import Foundation
internal import Testing

@Suite struct SessionConfigurationValuesTests {
    @Test("S-17: a configuration's values are written and read")
    func valuesAreWrittenAndRead() throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.identifier = "mine"
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.timeoutIntervalForRequest = 1.5
        configuration.timeoutIntervalForResource = 2.5
        configuration.timeoutIntervalForConnection = 0.5
        configuration.waitsForConnectivity = true
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpAdditionalHeaders = ["X-One": "1"]
        configuration.httpMaximumConnectionsPerHost = 9
        configuration.keepsFailedDownloads = false
        let values = SessionConfigurationValues(configuration)
        let data = try JSONEncoder().encode(values)
        let decoded = try JSONDecoder().decode(SessionConfigurationValues.self, from: data)
        #expect(decoded == values)
        let manager = URLSessionManager(sessionConfiguration: decoded.configuration)
        let made = manager.session.configuration
        #expect(SessionConfigurationValues(made) == values)
        #expect(made.timeoutIntervalForConnection == 0.5)
        #expect(made.httpAdditionalHeaders?["X-One"] as? String == "1")
        #expect(made.httpCookieAcceptPolicy == .never)
        // Storages aren't values.
        #expect(made.httpCookieStorage === HTTPCookieStorage.shared)
        decoded.apply(to: configuration)
        #expect(configuration.httpCookieStorage !== HTTPCookieStorage.shared)
    }

    @Test("S-17: versions of TLS and HTTP, and how far content may expand, come back")
    func versionsAndLimitsComeBack() throws {
        let configuration = URLSessionConfiguration.default
        configuration.tlsMinimumSupportedProtocolVersion = .TLSv13
        configuration.tlsMaximumSupportedProtocolVersion = .TLSv13
        configuration.httpVersionName = "http1"
        for limits: (bytes: Int64, ratio: Int64)? in [nil, (7, 5)] {
            configuration.expansionLimits = limits
            let values = SessionConfigurationValues(configuration)
            let data = try JSONEncoder().encode(values)
            let decoded = try JSONDecoder().decode(SessionConfigurationValues.self, from: data)
            #expect(decoded == values)
            let made = decoded.configuration
            #expect(made.tlsMinimumSupportedProtocolVersion == .TLSv13)
            #expect(made.tlsMaximumVersionNumber == tls_protocol_version_t.TLSv13.rawValue)
            #expect(made.httpVersionName == "http1")
            #expect(made.expansionLimits?.bytes == limits?.bytes)
            #expect(made.expansionLimits?.ratio == limits?.ratio)
        }
        for name in ["automatic", "http1", "http2", "http2PriorKnowledge", "http3"] {
            configuration.httpVersionName = name
            #expect(SessionConfigurationValues(configuration).configuration.httpVersionName == name)
        }
        // No newest version, and an expansion limit, as by default.
        let usual = SessionConfigurationValues(.default)
        usual.apply(to: configuration)
        #expect(configuration.tlsMaximumVersionNumber == nil)
        #expect(configuration.tlsMinimumSupportedProtocolVersion == .TLSv12)
        #expect(configuration.expansionLimits != nil)
    }

    @Test("S-17: values that were written before there were all of them are read")
    func formerValuesAreRead() throws {
        let data = try JSONEncoder().encode(SessionConfigurationValues(.default))
        var fields = try #require(
            JSONSerialization.jsonObject(with: data) as? [String: any Sendable]
        )
        for name in ["tlsMinimumVersion", "httpVersion", "limitsExpansion", "expansionLimit"] {
            #expect(fields.removeValue(forKey: name) != nil)
        }
        let former = try JSONSerialization.data(withJSONObject: fields)
        let decoded = try JSONDecoder().decode(SessionConfigurationValues.self, from: former)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.tlsMinimumSupportedProtocolVersion = .TLSv13
        configuration.httpVersionName = "http1"
        decoded.apply(to: configuration)
        #expect(configuration.tlsMinimumSupportedProtocolVersion == .TLSv13)
        #expect(configuration.httpVersionName == "http1")
        #expect(decoded.configuration.expansionLimits?.bytes == 64 << 20)
    }

    @Test("S-17: a configuration that nothing was set in is the default one")
    func theDefaultIsTheDefault() {
        let values = SessionConfigurationValues(.default)
        #expect(SessionConfigurationValues(values.configuration) == values)
        #expect(values.configuration.httpAdditionalHeaders == nil)
    }
}
