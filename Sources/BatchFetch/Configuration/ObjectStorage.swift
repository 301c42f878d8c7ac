internal import HTTPSemantics

/// A bucket of S3, or of a server with S3's interface, and where a run's bodies go in it.
///
/// A property that is `nil` is taken from where the AWS command line takes it, when a run starts:
/// the environment (`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`,
/// `AWS_PROFILE`, `AWS_REGION`, `AWS_DEFAULT_REGION`, `AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`,
/// `AWS_CA_BUNDLE`), then the profile in `~/.aws/credentials` and `~/.aws/config`, or in the files
/// that `AWS_SHARED_CREDENTIALS_FILE` and `AWS_CONFIG_FILE` name.
public struct ObjectStorage: Sendable, Hashable {
    /// The name of the bucket, which must exist.
    public let bucket: String

    /// What the keys of all bodies begin with, without slashes at its ends; may be empty.
    public let prefix: String

    /// The URL of the server. `nil` without a setting is AWS.
    ///
    /// A server of another owner gets the bucket in the path of URLs, AWS in their host, unless the
    /// profile has `addressing_style` in its `s3` section.
    public var endpoint: String?

    /// The region. `nil` without a setting is `us-east-1`.
    public var region: String?

    /// The keys that sign requests.
    public var credentials: Credentials?

    /// The keys of an account.
    public struct Credentials: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
        /// The access key.
        public var accessKey: String
        /// The secret key.
        public var secretKey: String
        /// The token of temporary keys; `nil` for others.
        public var sessionToken: String?

        /// Creates credentials.
        public init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
            self.accessKey = accessKey
            self.secretKey = secretKey
            self.sessionToken = sessionToken
        }

        /// A placeholder that keeps secrets out of logs.
        public var description: String { "credentials" }

        /// Shows nothing.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }

    private static let scheme = "s3://"

    /// Whether a text is an address of object storage, correct or not, and no path.
    public static func isAddress(_ text: String) -> Bool {
        text.lowercased().hasPrefix(scheme)
    }

    /// Parses `s3://bucket/prefix`. The prefix may be missing.
    ///
    /// - Throws: ``BatchFailure/Code/configuration`` for an invalid bucket or prefix.
    public init(address: String) throws(BatchFailure) {
        guard Self.isAddress(address) else {
            throw Self.failure(address, "write s3://bucket/prefix")
        }
        let parts = address.dropFirst(Self.scheme.count).split(
            separator: "/",
            omittingEmptySubsequences: false
        )
        let bucket = String(parts[0])
        guard Self.isBucket(bucket) else {
            throw Self.failure(
                address,
                "the name of a bucket has 3 to 63 letters, digits, dots and hyphens"
            )
        }
        let folders = parts.dropFirst().drop { $0.isEmpty }
        let end = folders.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? folders.startIndex
        let names = folders[..<end]
        let isSafe = names.allSatisfy { name in
            !["", ".", ".."].contains(name) && name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        }
        let prefix = names.joined(separator: "/")
        // Keys have at most 1,024 bytes, and those of bodies need some of them.
        guard isSafe, prefix.utf8.count <= 256 else {
            throw Self.failure(
                address,
                "a prefix has no empty parts, “.”, “..” and control characters, and up to 256 bytes"
            )
        }
        self.bucket = bucket
        self.prefix = prefix
    }

    private static func isBucket(_ name: String) -> Bool {
        let bytes = name.utf8
        let isPlain = bytes.allSatisfy { byte in
            byte.isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || "-._".utf8.contains(byte)
        }
        return isPlain && (3...63).contains(bytes.count) && bytes.first != UInt8(ascii: ".")
    }

    private static func failure(_ address: String, _ advice: String) -> BatchFailure {
        // A user might write keys in front of the bucket.
        let shown = address.contains("@") ? "s3://…" : address
        return BatchFailure(.configuration, "the address “\(shown)” is invalid: \(advice)")
    }

    /// The key of a name below the prefix.
    func key(_ name: String) -> String { prefix.isEmpty ? name : "\(prefix)/\(name)" }

    /// The address of a name below the prefix, for messages.
    func address(of name: String = "") -> String {
        let key = name.isEmpty ? prefix : key(name)
        return Self.scheme + bucket + (key.isEmpty ? "" : "/\(key)")
    }
}
