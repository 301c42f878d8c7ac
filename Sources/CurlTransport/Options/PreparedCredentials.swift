internal import Curl
internal import Posix

/// Checked credentials as settings for libcurl.
struct PreparedCredentials {
    private(set) var settings: [EasySetting] = []

    /// The token for an AWS signature, sent as the field `X-Amz-Security-Token`.
    private(set) var securityToken: String?

    init(_ authentication: Authentication?) throws(InvalidOption) {
        guard let authentication else { return }
        typealias Kind = EasyValue.Authentication
        switch authentication {
        case .basic(let user, let password):
            guard !user.utf8.contains(UInt8(ascii: ":")) else {
                throw InvalidOption(
                    "authentication.user",
                    "has a colon, which Basic authentication can't carry (RFC 7617)"
                )
            }
            // Basic is libcurl's default.
            try add(user: user, password: password, kinds: nil)
        case .digest(let user, let password):
            try add(user: user, password: password, kinds: Kind.digest)
        case .bearer(let token):
            try OptionCheck.filledText(token, "authentication.token")
            settings = [.text(.bearerToken, token), .number(.httpAuth, Kind.bearer)]
        case .ntlm(let user, let password):
            guard CurlVersion.current.supportsNTLM else {
                throw InvalidOption("authentication", missing: "NTLM")
            }
            try add(user: user, password: password, kinds: Kind.ntlm)
        case .negotiate:
            guard CurlVersion.current.supportsNegotiate else {
                throw InvalidOption("authentication", missing: "Negotiate")
            }
            // The Kerberos ticket identifies the user, but libcurl needs a user name, even an empty
            // one.
            try add(user: "", password: "", kinds: Kind.negotiate)
        case .any(let user, let password):
            // libcurl omits the methods that it was built without.
            let kinds = Kind.basic | Kind.digest | Kind.ntlm | Kind.negotiate
            try add(user: user, password: password, kinds: kinds)
        case .awsSigV4(let provider, let accessKey, let secretKey, let sessionToken):
            try sign(provider, accessKey, secretKey)
            if let sessionToken {
                try OptionCheck.filledText(sessionToken, "authentication.sessionToken")
                securityToken = sessionToken
            }
        }
    }

    private mutating func add(
        user: String,
        password: String,
        kinds: Int?
    ) throws(InvalidOption) {
        try OptionCheck.text(user, "authentication.user")
        try OptionCheck.text(password, "authentication.password")
        settings.append(.text(.userName, user))
        settings.append(.text(.password, password))
        if let kinds { settings.append(.number(.httpAuth, kinds)) }
    }

    private mutating func sign(
        _ provider: String,
        _ accessKey: String,
        _ secretKey: String
    ) throws(InvalidOption) {
        try OptionCheck.filledText(provider, "authentication.provider")
        let parts = provider.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 4, parts.allSatisfy({ !$0.isEmpty && !$0.contains(" ") }) else {
            throw InvalidOption(
                "authentication.provider",
                "isn't one to four names with colons between them, such as “aws:amz:eu-west-1:s3”"
            )
        }
        try OptionCheck.filledText(accessKey, "authentication.accessKey")
        try OptionCheck.filledText(secretKey, "authentication.secretKey")
        // This option also chooses the authentication method.
        settings.append(.text(.awsSigV4, provider))
        settings.append(.text(.userName, accessKey))
        settings.append(.text(.password, secretKey))
    }
}
