internal import CurlURLSession
internal import Foundation

/// What the page "Differences" shows.
struct Differences: Sendable {
    static func session(_ folder: URL) throws -> URLSession {
        // snippet: Differences/session
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForConnection = 3
        configuration.usesEnvironmentProxies = true
        configuration.httpCookieStorage = try HTTPCookieStorage(
            persistingAt: folder.appendingPathComponent("cookies")
        )
        configuration.urlCache = URLCache(
            memoryCapacity: 8 << 20,
            diskCapacity: 256 << 20,
            directory: folder
        )
        let session = URLSession(configuration: configuration)
        // end
        return session
    }
}
