internal import CurlTransport
internal import Foundation
internal import LoadKit

extension URLSessionConfiguration {
    /// What the lower layers are set to as well. The event loops are shared by all sessions: their
    /// number isn't a session's to choose.
    static func forLoad(_ options: LoadOptions) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.default
        configuration.httpVersion = options.usesHTTP2 ? .http2 : .http1
        if let file = options.certificateFile {
            configuration.tlsConfiguration.trustRoots = .file(file)
        }
        return configuration
    }
}
