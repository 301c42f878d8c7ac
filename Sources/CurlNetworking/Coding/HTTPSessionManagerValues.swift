public import CurlURLSession
internal import Foundation

/// What of an ``HTTPSessionManager`` can be written down, for another one to be made of.
///
/// ```swift
/// let data = try JSONEncoder().encode(HTTPSessionManagerValues(manager))
/// let values = try JSONDecoder().decode(HTTPSessionManagerValues.self, from: data)
/// let other = try values.manager()
/// ```
///
/// That is what AFNetworking archives: the base URL, the session's configuration (see
/// ``SessionConfigurationValues``), the two serializers and the security policy. Handlers, queues,
/// interceptors and monitors are closures and objects of a process.
///
/// > Warning: Nothing is encrypted. Header fields of the configuration and of the request serializer are
/// > written in plain text, `Authorization` with its password or token among them. Store them where only
/// > the program itself may read, or remove such fields before.
///
/// Serializers of this package's own classes can be written, but for those of XML and those with closures,
/// and policies of the class ``SecurityPolicy``. What can't be written is an error, and isn't left out.
public struct HTTPSessionManagerValues: Codable, Sendable {
    private let baseURL: URL?
    private let configuration: SessionConfigurationValues
    private let requestSerializer: RequestSerializerValue
    private let responseSerializer: ResponseSerializerValue
    private let securityPolicy: SecurityPolicySettings

    /// Takes what a manager has.
    ///
    /// - Throws: `EncodingError` for a serializer or a policy that can't be written.
    public init(_ manager: HTTPSessionManager) throws {
        baseURL = manager.baseURL
        configuration = SessionConfigurationValues(manager.core.read(\.configuration))
        requestSerializer = try RequestSerializerValue(manager.requestSerializer)
        responseSerializer = try ResponseSerializerValue(manager.responseSerializer)
        let policy = manager.securityPolicy
        guard type(of: policy) == SecurityPolicy.self else {
            throw EncodingError.cannotWrite(policy, "is a policy of a class of its own")
        }
        securityPolicy = policy.settings
    }

    /// A new manager that is set to the same.
    ///
    /// - Parameter configuration: Is set to the values that were written, and is the session's; a default
    ///   one unless there is another.
    /// - Throws: ``InvalidSecurityPolicy`` for a policy that pins certificates where the base URL isn't
    ///   `https`: the policy is set last, as ``HTTPSessionManager/setSecurityPolicy(_:)`` does.
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

extension EncodingError {
    /// What can't be written, and why.
    static func cannotWrite(_ value: Any, _ reason: String) -> EncodingError {
        .invalidValue(
            value,
            Context(codingPath: [], debugDescription: "\(type(of: value)) \(reason).")
        )
    }
}
