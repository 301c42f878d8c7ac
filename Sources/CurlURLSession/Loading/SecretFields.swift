/// The header fields whose values are usually secrets.
package enum SecretFields {
    /// In lower case.
    package static let names: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "x-api-key", "api-key", "x-auth-token",
        "x-csrf-token", "x-amz-security-token",
    ]
}
