internal import CurlURLSession

/// What a request's description as a `curl` command shows.
///
/// Such a command is made to be read and logged, so secrets are left out of it unless they are asked for:
///
/// ```swift
/// print(request.cURLDescription(options: CURLDescriptionOptions(includesSecrets: true)))
/// ```
public struct CURLDescriptionOptions: Sendable, Hashable {
    /// Whether passwords, cookies and the values of ``secretHeaders`` and ``secretQueryItems`` are shown;
    /// `false` by default: three asterisks stand in their places, and the command can't be run as it is.
    ///
    /// With `true` it sends what the request sends. What a body, a URL's path and other items of its query
    /// and fragment have in them is shown in any case.
    public var includesSecrets: Bool

    /// The header fields whose values are secrets. In lower case, whatever they are set to.
    public var secretHeaders: Set<String> {
        didSet { secretHeaders = Self.lowercased(secretHeaders) }
    }

    /// The items of a URL's query, and of its fragment, whose values are secrets. In lower case, whatever they are set to.
    public var secretQueryItems: Set<String> {
        didSet { secretQueryItems = Self.lowercased(secretQueryItems) }
    }

    /// How many bytes of a body are written into the command at most; a larger one is named as a file that
    /// has to be made first. 64 KiB by default.
    public var maximumBodyLength: Int

    /// The fields that are taken for secrets unless somebody says otherwise.
    public static let usualSecretHeaders = SecretFields.names

    /// The items of queries that are taken for secrets unless somebody says otherwise.
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
