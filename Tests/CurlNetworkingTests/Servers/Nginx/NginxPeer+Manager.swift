internal import CurlNetworking
internal import CurlTransport
internal import Dispatch
internal import Foundation
internal import TestSupport
internal import Testing

extension NginxPeer {
    /// A manager for one port that trusts the test authority and returns bodies unparsed. It has a
    /// long timeout for busy machines, and no cache, so that each request reaches the server.
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

    /// The first certificate of a PEM file, as DER.
    func certificate(_ path: (Certificates) -> String) throws -> Data {
        let text = try String(contentsOfFile: path(certificates), encoding: .utf8)
        return try #require(PEMCertificates.decoded(text).first)
    }
}

extension HTTPSessionManager {
    /// The body of a response, decoded as UTF-8.
    func text(_ path: String) async throws -> String {
        String(decoding: try #require(try await get(path) as? Data), as: UTF8.self)
    }
}
