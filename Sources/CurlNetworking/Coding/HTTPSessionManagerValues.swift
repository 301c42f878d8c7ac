public import CurlURLSession
internal import Foundation

/// The configuration of an ``HTTPSessionManager`` as `Codable` values.
///
/// ```swift
/// let data = try JSONEncoder().encode(HTTPSessionManagerValues(manager))
/// let values = try JSONDecoder().decode(HTTPSessionManagerValues.self, from: data)
/// let other = try values.manager()
/// ```
///
/// The values are those that AFNetworking archives: the base URL, the session's configuration (see
/// ``SessionConfigurationValues``), the two serializers and the security policy. Handlers, queues,
/// interceptors and monitors are closures and objects of a process, and aren't included.
///
/// > Warning: Nothing is encrypted. Header fields of the configuration and of the request
/// > serializer are stored in plain text, including `Authorization` with its password or token.
/// > Store the values where only your program can read them, or remove such fields first.
///
/// These can be encoded: ``HTTPRequestSerializer``, ``JSONRequestSerializer`` and
/// ``PropertyListRequestSerializer``; ``HTTPResponseSerializer`` and the serializers of JSON,
/// property lists and images, and compounds of them; ``SecurityPolicy``. Subclasses, other
/// serializers (such as those of XML) and serializers with closures throw an error; nothing is left
/// out silently.
public struct HTTPSessionManagerValues: Codable, Sendable {
    private let baseURL: URL?
    private let configuration: SessionConfigurationValues
    private let requestSerializer: RequestSerializerValue
    private let responseSerializer: ResponseSerializerValue
    private let securityPolicy: SecurityPolicySettings

    /// Copies the values of a manager.
    ///
    /// - Throws: `EncodingError` for a serializer or a policy that can't be encoded.
    public init(_ manager: HTTPSessionManager) throws {
        baseURL = manager.baseURL
        configuration = SessionConfigurationValues(manager.core.read(\.configuration))
        requestSerializer = try RequestSerializerValue(manager.requestSerializer)
        responseSerializer = try ResponseSerializerValue(manager.responseSerializer)
        let policy = manager.securityPolicy
        guard type(of: policy) == SecurityPolicy.self else {
            throw EncodingError.cannotWrite(policy, "is a custom security policy class")
        }
        securityPolicy = policy.settings
    }

    /// Creates a new manager with these values.
    ///
    /// - Parameter configuration: The session's configuration; the stored values are applied to a
    ///   copy of it. `.default` by default.
    /// - Throws: ``InvalidSecurityPolicy`` for a policy that pins certificates if the base URL
    ///   isn't `https`: the policy is set last, with ``HTTPSessionManager/setSecurityPolicy(_:)``.
    public func manager(
        sessionConfiguration configuration: URLSessionConfiguration = .default
    ) throws -> HTTPSessionManager {
        let copy = configuration.copy() as? URLSessionConfiguration ?? configuration
        self.configuration.apply(to: copy)
        let manager = HTTPSessionManager(baseURL: baseURL, sessionConfiguration: copy)
        manager.requestSerializer = requestSerializer.serializer
        manager.responseSerializer = responseSerializer.serializer
        try manager.setSecurityPolicy(SecurityPolicy(settings: securityPolicy))
        return manager
    }
}
