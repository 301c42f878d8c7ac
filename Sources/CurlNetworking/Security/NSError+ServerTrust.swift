package import CurlURLSession
package import Foundation

extension NSError {
    /// A server isn't trusted by a policy: the loading system's error, with AFNetworking's text, and with
    /// the check that failed as its reason and its cause.
    ///
    /// - Parameters:
    ///   - failure: What the policy found.
    ///   - trust: What the server presented.
    ///   - url: What was to be loaded. User name and password are left out.
    package static func untrustedServer(
        _ failure: ServerTrustFailure?,
        trust: SecTrust?,
        url: URL?
    ) -> NSError {
        let url = url?.withoutUserInfo
        let host = url?.host ?? "(null)"
        var info: [String: Any] = [
            NSLocalizedDescriptionKey: "The certificate for this server is invalid. You might be "
                + "connecting to a server that is pretending to be “\(host)” which could put your "
                + "confidential information at risk."
        ]
        info[NSURLErrorFailingURLPeerTrustErrorKey] = trust
        info[NSURLErrorFailingURLErrorKey] = url
        info["NSErrorFailingURLStringKey"] = url?.absoluteString
        info[NSLocalizedFailureReasonErrorKey] = failure?.errorDescription
        info[NSUnderlyingErrorKey] = failure
        // Foundation's global constant of this name has another number on Linux.
        return NSError(
            domain: NSURLErrorDomain,
            code: URLError.Code.serverCertificateUntrusted.rawValue,
            userInfo: info
        )
    }
}
