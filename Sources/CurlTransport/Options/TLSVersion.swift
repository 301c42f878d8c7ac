/// A version of TLS. See <https://curl.se/libcurl/c/CURLOPT_SSLVERSION.html>.
public enum TLSVersion: Int, Sendable, Hashable, Comparable {
    /// TLS 1.0, deprecated by RFC 8996. The TLS library may refuse it whatever is asked for.
    case v1_0
    /// TLS 1.1, deprecated by RFC 8996. The TLS library may refuse it whatever is asked for.
    case v1_1
    /// TLS 1.2, RFC 5246.
    case v1_2
    /// TLS 1.3, RFC 8446.
    case v1_3

    /// Orders versions by age, the oldest first.
    public static func < (lhs: TLSVersion, rhs: TLSVersion) -> Bool {
        lhs.rawValue < rhs.rawValue
    }
}
