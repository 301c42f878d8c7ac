internal import CurlNetworking
internal import Dispatch
internal import Foundation
internal import TestSupport

extension HTTPBinPeer {
    /// A manager for this server, with a long timeout for busy machines, and with form and JSON
    /// serializers.
    func manager(
        _ configure: (URLSessionConfiguration) -> Void = { _ in }
    ) -> HTTPSessionManager {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 300
        configure(configuration)
        let manager = HTTPSessionManager(
            baseURL: URL(string: url("/")),
            sessionConfiguration: configuration
        )
        manager.completionQueue = DispatchQueue(label: "completions")
        return manager
    }
}

/// httpbin's description of a request.
struct HTTPBinEcho: Decodable, Sendable {
    var args: [String: String]?
    var form: [String: String]?
    var files: [String: String]?
    var headers: [String: String]
    var data: String?
    var method: String?
    var url: String
}
