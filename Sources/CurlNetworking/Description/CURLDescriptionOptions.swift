internal import CurlURLSession
internal import HTTPSemantics

/// What a request's description as a `curl` command contains.
///
/// The command is meant for reading and logging, so secrets are hidden by default. To include them:
///
/// ```swift
/// print(request.cURLDescription(options: CURLDescriptionOptions(includesSecrets: true)))
/// ```
public struct CURLDescriptionOptions: Sendable, Hashable {
    /// Whether the command contains secrets; `false` by default.
    ///
    /// Secrets are passwords, cookies and the values of ``secretHeaders`` and ``secretQueryItems``.
    /// With `false`, three asterisks replace each of them, and the command can't be run unchanged.
    /// With `true`, the command sends what the request sends. Bodies, URL paths and other items of
    /// queries and fragments are always shown.
    public var includesSecrets: Bool

    /// Names of header fields whose values are secrets; lowercased when set.
    ///
    /// As long as it contains all of ``usualSecretHeaders``, other fields whose names have a word
    /// such as `token`, `secret`, `session` or `signature` count as secret, too.
    public var secretHeaders: Set<String> {
        didSet { secretHeaders = Self.lowercased(secretHeaders) }
    }

    /// Names of query and fragment items whose values are secrets.
    ///
    /// They are lowercased when set.
    public var secretQueryItems: Set<String> {
        didSet { secretQueryItems = Self.lowercased(secretQueryItems) }
    }

    /// The maximum length of an included body; 64 KiB by default.
    ///
    /// The length is in bytes. For a larger body the command names a file, `body-of-N-bytes`, that
    /// its user has to create first.
    public var maximumBodyLength: Int

    /// The default of ``secretHeaders``.
    public static let usualSecretHeaders = SensitiveFields.usualNames

    /// The default of ``secretQueryItems``.
    public static let usualSecretQueryItems: Set<String> = [
        "access_token", "api_key", "api-key", "apikey", "auth_token", "client_secret", "id_token",
        "key", "password", "refresh_token", "secret", "sig", "signature", "token",
        "x-amz-security-token", "x-amz-signature", "x-goog-signature",
    ]

    /// Creates options.
    public init(
        includesSecrets: Bool = false,
        secretHeaders: Set<String> = usualSecretHeaders,
        secretQueryItems: Set<String> = usualSecretQueryItems,
        maximumBodyLength: Int = 64 * 1024
    ) {
        self.includesSecrets = includesSecrets
        self.secretHeaders = Self.lowercased(secretHeaders)
        self.secretQueryItems = Self.lowercased(secretQueryItems)
        self.maximumBodyLength = maximumBodyLength
    }

    private static func lowercased(_ names: Set<String>) -> Set<String> {
        Set(names.map { $0.lowercased() })
    }
}
