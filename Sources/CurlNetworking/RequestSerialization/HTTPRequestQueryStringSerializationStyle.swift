/// How ``HTTPRequestSerializer`` makes a query of parameters: AFNetworking's
/// `AFHTTPRequestQueryStringSerializationStyle`.
public enum HTTPRequestQueryStringSerializationStyle: UInt, Sendable, Codable {
    /// As ``queryString(from:arrayEncoding:boolEncoding:)`` does.
    case defaultStyle = 0
}
