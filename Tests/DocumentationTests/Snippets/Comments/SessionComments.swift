internal import CurlTransport
internal import CurlURLSession
internal import Foundation

/// What the documentation comments of `CurlURLSession` show.
struct SessionComments: Sendable {
    let print: Print

    func data(_ url: URL) async throws {
        // snippet: URLSession.swift/data
        let (data, response) = try await URLSession.shared.data(from: url)
        // end
        print((response as? HTTPURLResponse)?.statusCode ?? 0, data.count)
    }

    static func tlsConfiguration(_ configuration: URLSessionConfiguration) {
        // snippet: URLSessionConfiguration+Engine.swift/tlsConfiguration
        configuration.tlsConfiguration.trustRoots = .file("/etc/company/ca.pem")
        configuration.tlsConfiguration.publicKeyPins = ["sha256//…"]
        // end
    }
}
