internal import CurlNetworking
internal import CurlTransport
internal import Dispatch
internal import Foundation
internal import TestSupport
internal import Testing

extension NginxPeer {
    /// A manager of one port, patient on a busy machine, that trusts the test authority and hands
    /// bodies on as they come. Nothing is cached, so that each request comes to the server.
    func manager(
        _ port: Port,
        _ configure: (URLSessionConfiguration) -> Void = { _ in }
    ) -> HTTPSessionManager {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 300
        configuration.urlCache = nil
        configuration.tlsConfiguration.trustRoots = .file(certificates.authority)
        configure(configuration)
        let manager = HTTPSessionManager(
            baseURL: URL(string: url(port, "/")),
            sessionConfiguration: configuration
        )
        manager.completionQueue = DispatchQueue(label: "completions")
        manager.responseSerializer = HTTPResponseSerializer()
        return manager
    }

    /// The first certificate of a PEM file, DER-encoded.
    func certificate(_ path: (Certificates) -> String) throws -> Data {
        let text = try String(contentsOfFile: path(certificates), encoding: .utf8)
        return try #require(PEMCertificates.decoded(text).first)
    }
}

extension HTTPSessionManager {
    /// The body of a response as text.
    func text(_ path: String) async throws -> String {
        String(decoding: try #require(try await get(path) as? Data), as: UTF8.self)
    }
}
