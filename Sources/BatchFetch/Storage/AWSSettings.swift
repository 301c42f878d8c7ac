import Posix

/// Keys, region and endpoint of object storage, found as the AWS command line finds them.
struct AWSSettings: Sendable, Hashable {
    /// Where URLs have the name of the bucket.
    enum Addressing: String, Sendable, Hashable {
        /// In the host for AWS, in the path for other servers.
        case automatic = "auto"
        case path
        case virtual
    }

    let credentials: ObjectStorage.Credentials
    let region: String
    /// The URL of the server; `nil` for AWS.
    let endpoint: String?
    let addressing: Addressing
    /// The file of trusted certificates; `nil` for the system's.
    let authoritiesFile: String?

    /// Finds what a storage doesn't have itself.
    ///
    /// - Parameter environment: The variables by name.
    /// - Throws: ``BatchFailure/Code/configuration`` if there are no keys, or only a part of what
    ///   belongs together, and for unreadable files. No message contains a secret.
    init(
        for storage: ObjectStorage,
        environment: @escaping (String) -> String? = { ProcessEnvironment.value(of: $0) }
    ) throws(BatchFailure) {
        let variables = AWSVariables(value: environment)
        let profile = try AWSProfileSettings(variables)
        if let credentials = storage.credentials {
            self.credentials = credentials
        } else if let credentials = try variables.credentials() {
            self.credentials = credentials
        } else {
            credentials = try profile.credentials()
        }
        region =
            storage.region ?? variables["AWS_REGION"] ?? variables["AWS_DEFAULT_REGION"]
            ?? profile["region"] ?? "us-east-1"
        let ignoresFiles = variables["AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"]?.lowercased() == "true"
        endpoint =
            storage.endpoint
            ?? (ignoresFiles
                ? nil
                : variables["AWS_ENDPOINT_URL_S3"] ?? variables["AWS_ENDPOINT_URL"]
                    ?? profile.endpoint)
        addressing =
            profile["s3.addressing_style"].flatMap { Addressing(rawValue: $0) } ?? .automatic
        authoritiesFile = variables["AWS_CA_BUNDLE"] ?? profile["ca_bundle"]
        for (name, value) in [("region", region), ("access key", credentials.accessKey)] {
            guard value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }),
                !value.isEmpty
            else {
                throw BatchFailure(
                    .configuration,
                    "the \(name) of object storage is empty or has characters that it can't have"
                )
            }
        }
    }
}

/// The environment variables of the AWS command line. An empty one counts as unset.
private struct AWSVariables {
    let value: (String) -> String?

    subscript(_ name: String) -> String? {
        value(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    func credentials() throws(BatchFailure) -> ObjectStorage.Credentials? {
        let (accessKey, secretKey) = (self["AWS_ACCESS_KEY_ID"], self["AWS_SECRET_ACCESS_KEY"])
        guard accessKey != nil || secretKey != nil else { return nil }
        guard let accessKey, let secretKey else {
            throw BatchFailure(
                .configuration,
                "of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY only one is set: set both, or none"
            )
        }
        return ObjectStorage.Credentials(
            accessKey: accessKey,
            secretKey: secretKey,
            sessionToken: self["AWS_SESSION_TOKEN"]
        )
    }

    /// The path of a file, with `~` for the home folder.
    func path(_ name: String, default file: String) -> String? {
        let path = self[name] ?? "~/.aws/\(file)"
        guard path.hasPrefix("~/") else { return path }
        return self["HOME"].map { $0 + path.dropFirst() }
    }
}

/// The settings of one profile in both files.
private struct AWSProfileSettings {
    private let name: String
    private let config: [String: String]
    private let keys: [String: String]
    /// The settings of the section `services` that the profile names.
    private let services: [String: String]

    init(_ variables: AWSVariables) throws(BatchFailure) {
        let name = variables["AWS_PROFILE"] ?? "default"
        let config = try Self.sections(variables.path("AWS_CONFIG_FILE", default: "config"))
        let keys = try Self.sections(
            variables.path("AWS_SHARED_CREDENTIALS_FILE", default: "credentials")
        )
        let section =
            config["profile \(name)"] ?? (name == "default" ? config["default"] : nil)
        guard variables["AWS_PROFILE"] == nil || section != nil || keys[name] != nil else {
            throw BatchFailure(
                .configuration,
                "the profile “\(name)” of AWS_PROFILE is neither in the file of credentials nor in "
                    + "the configuration of AWS: name another one"
            )
        }
        self.name = name
        self.config = section ?? [:]
        self.keys = keys[name] ?? [:]
        services = section?["services"].flatMap { config["services \($0)"] } ?? [:]
    }

    private static func sections(
        _ path: String?
    ) throws(BatchFailure) -> [String: [String: String]] {
        guard let path, (try? FileSystem.kind(of: path)) == .regular else { return [:] }
        return AWSProfile.sections(try TextFile.text(of: path))
    }

    subscript(_ key: String) -> String? {
        (config[key] ?? keys[key]).flatMap { $0.isEmpty ? nil : $0 }
    }

    var endpoint: String? { services["s3.endpoint_url"] ?? self["endpoint_url"] }

    /// How keys can be found that are not in a file.
    private static let others = [
        "sso_session", "sso_start_url", "credential_process", "web_identity_token_file",
        "login_session",
    ]

    func credentials() throws(BatchFailure) -> ObjectStorage.Credentials {
        // The keys beside a role are those that ask for the role's.
        if self["role_arn"] != nil { throw unsupported("role_arn") }
        for section in [keys, config] {
            guard let accessKey = section["aws_access_key_id"], !accessKey.isEmpty else { continue }
            guard let secretKey = section["aws_secret_access_key"], !secretKey.isEmpty else {
                throw BatchFailure(
                    .configuration,
                    "the profile “\(name)” of AWS has an access key, but no secret key: add "
                        + "aws_secret_access_key"
                )
            }
            let token = section["aws_session_token"].flatMap { $0.isEmpty ? nil : $0 }
            return ObjectStorage.Credentials(
                accessKey: accessKey,
                secretKey: secretKey,
                sessionToken: token
            )
        }
        if let other = Self.others.first(where: { self[$0] != nil }) { throw unsupported(other) }
        throw BatchFailure(
            .configuration,
            "there are no keys for object storage: set AWS_ACCESS_KEY_ID and "
                + "AWS_SECRET_ACCESS_KEY, or make a profile with “aws configure”"
        )
    }

    private func unsupported(_ setting: String) -> BatchFailure {
        BatchFailure(
            .configuration,
            "the profile “\(name)” of AWS gets its keys by \(setting), which isn't supported here: "
                + "put them into the environment with “aws configure export-credentials --format env”"
        )
    }
}
