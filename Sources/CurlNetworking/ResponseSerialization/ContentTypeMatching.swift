/// How the media type of a response is compared with those that are acceptable.
public enum ContentTypeMatching: String, Sendable, Hashable, Codable {
    /// As AFNetworking does: it is one of them, letter by letter.
    case exact

    /// As patterns: `image/*` and `*/*` stand for several types, and a type also stands for those with
    /// its name as their suffix (RFC 6839), as `application/json` does for
    /// `application/problem+json`. The case of letters doesn't matter.
    case patterns
}
