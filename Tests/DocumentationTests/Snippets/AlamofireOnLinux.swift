internal import CurlTransport
internal import CurlURLSession
internal import Foundation

/// What the page "Alamofire on Linux" shows.
struct AlamofireOnLinux: Sendable {
    /// Has the properties of Alamofire's types that the page uses.
    struct DownloadResponse {
        struct Failure {
            let underlyingError: (any Error)?
        }

        let error: Failure?
    }

    static func trust(_ configuration: URLSessionConfiguration, _ current: String, _ next: String) {
        // snippet: AlamofireOnLinux/trust
        configuration.tlsConfiguration.trustRoots = .file("/etc/company/ca.pem")
        configuration.tlsConfiguration.publicKeyPins = ["sha256//\(current)", "sha256//\(next)"]
        configuration.tlsConfiguration.clientIdentity = .pemFiles(
            certificate: "/etc/service/client.pem",
            key: "/etc/service/client.key"
        )
        // end
    }

    static func resumeData(of response: DownloadResponse) -> Data? {
        // snippet: AlamofireOnLinux/resumeData
        let resumeData = (response.error?.underlyingError as? URLError)?.downloadTaskResumeData
        // end
        return resumeData
    }
}
