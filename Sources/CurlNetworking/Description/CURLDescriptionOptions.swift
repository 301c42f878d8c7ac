/// What a request's description as a `curl` command shows.
public struct CURLDescriptionOptions: Sendable, Hashable {
    /// Whether passwords, cookies and the values of ``secretHeaders`` are shown; `true` by default.
    /// Otherwise three asterisks stand in their places, and the command can't be run as it is. What a URL
    /// and a body have in them is shown in any case.
    public var includesSecrets: Bool

    /// The header fields whose values are secrets, in lower case.
    public var secretHeaders: Set<String>

    /// How many bytes of a body are written into the command at most; a larger one is named as a file that
    /// has to be made first. 64 KiB by default.
    public var maximumBodyLength: Int

    /// Those that are taken for secrets unless somebody says otherwise.
    public static let usualSecretHeaders: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "x-api-key", "api-key", "x-auth-token",
        "x-csrf-token", "x-amz-security-token",
    ]

    /// Creates options.
    public init(
        includesSecrets: Bool = true,
        secretHeaders: Set<String> = usualSecretHeaders,
        maximumBodyLength: Int = 64 * 1024
    ) {
        self.includesSecrets = includesSecrets
        self.secretHeaders = secretHeaders
        self.maximumBodyLength = maximumBodyLength
    }
}
