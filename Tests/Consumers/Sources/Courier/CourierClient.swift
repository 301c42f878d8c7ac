import CurlNetworking
import Foundation

// `@unchecked Sendable`: it adds no stored property.
/// A client of one server, as programs with AFNetworking write it.
///
/// It subclasses the manager with its base URL, its serializers and its policy.
final class CourierClient: HTTPSessionManager, @unchecked Sendable {
    /// - Parameters:
    ///   - url: The URL that paths are relative to.
    ///   - pin: The only certificate, DER-encoded, that the server may have, whatever its issuer;
    ///     `nil` accepts any that the system trusts.
    convenience init(url: URL, pin: Data?) throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 60
        self.init(baseURL: url, sessionConfiguration: configuration)
        requestSerializer.setValue("courier/1.0", forHTTPHeaderField: "User-Agent")
        responseSerializer = JSONResponseSerializer()
        guard let pin else { return }
        let policy = SecurityPolicy(pinningMode: .certificate, withPinnedCertificates: [pin])
        policy.allowInvalidCertificates = true
        try setSecurityPolicy(policy)
    }
}
