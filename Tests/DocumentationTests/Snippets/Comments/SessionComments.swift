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

    func upload(_ session: URLSession, _ source: URL, _ request: URLRequest) async throws {
        // snippet: UploadSequence.swift/piped
        let (bytes, _) = try await session.bytes(from: source)
        let (data, response) = try await session.upload(for: request, from: bytes)
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
