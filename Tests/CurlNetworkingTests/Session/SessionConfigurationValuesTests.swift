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

    @Test("S-17: a configuration that nothing was set in is the default one")
    func theDefaultIsTheDefault() {
        let values = SessionConfigurationValues(.default)
        #expect(SessionConfigurationValues(values.configuration) == values)
        #expect(values.configuration.httpAdditionalHeaders == nil)
    }
}
