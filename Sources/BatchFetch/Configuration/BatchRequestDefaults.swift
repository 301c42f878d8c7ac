internal import CurlTransport
internal import HTTPSemantics
public import HTTPTypes

/// What a run's requests contain in addition to their lines in the list.
///
/// A description of this value doesn't contain its secrets.
public struct BatchRequestDefaults: Sendable, Hashable {
    /// Header fields of each request that has no field of that name in its line. None by default.
    ///
    /// After a redirect to another origin, only those are sent that ``BatchRequest/headerFields``
    /// names as harmless.
    public var headerFields = HTTPFields()

    /// Fields that are only sent if a line has them. None by default.
    ///
    /// It matters for those that are added otherwise: `Accept`, `Accept-Encoding`, `User-Agent` and
    /// `From`, `Authorization` with ``credentials`` or ``netrcFile``, and `Cookie` with ``cookies``.
    public var omittedFields: Set<HTTPField.Name> = []

    /// Credentials for the hosts of the list. `nil`, the default, is none.
    ///
    /// All hosts of the list get them: if it has several, use ``netrcFile`` or fields of its lines.
    public var credentials: BatchCredentials?

    /// The path of a `.netrc` file, with user names and passwords by host. `nil`, the default, is
    /// none.
    ///
    /// A login is sent as Basic to the list's URLs on its host. It isn't sent after a redirect to
    /// another origin, nor with an `Authorization` field or ``credentials``. The file is read when
    /// the run starts.
    public var netrcFile: String?

    /// Whether cookies are kept and sent; ``BatchCookies/none`` by default.
    public var cookies = BatchCookies.none

    /// Creates defaults that add nothing.
    public init() {}

    /// Checks everything except ``netrcFile``, which ``netrc()`` reads.
    ///
    /// - Throws: ``BatchFailure/Code/configuration`` for an invalid value.
    func validate() throws(BatchFailure) {
        for field in headerFields {
            try Self.check(field.name)
        }
        switch credentials {
        case .basic(let user, let password):
            guard !user.utf8.contains(UInt8(ascii: ":")) else {
                let message = "the user name has a colon, which Basic authentication can't carry"
                throw BatchFailure(.configuration, message)
            }
            try Self.checkText(user + password, "user name or password")
        case .bearer(let token):
            try Self.checkText(token, "bearer token")
            guard !token.isEmpty else {
                throw BatchFailure(.configuration, "the bearer token is empty")
            }
        case .awsSigV4:
            do throws(TransportError) {
                var options = TransferOptions()
                options.authentication = authentication
                _ = try PreparedOptions(options)
            } catch {
                throw BatchFailure(startingWith: error)
            }
        case nil: break
        }
    }

    /// The authentication that the transport does; `nil` for none.
    var authentication: Authentication? {
        guard !omittedFields.contains(.authorization),
            case .awsSigV4(let provider, let accessKey, let secretKey, let token)? = credentials
        else { return nil }
        return .awsSigV4(
            provider: provider,
            accessKey: accessKey,
            secretKey: secretKey,
            sessionToken: token
        )
    }

    /// The content of ``netrcFile``; `nil` without one. Blocks.
    ///
    /// Called once for a run: the file may be a pipe, which can't be read twice.
    ///
    /// - Throws: ``BatchFailure/Code/configuration`` if it can't be read, or is malformed.
    func netrc() throws(BatchFailure) -> NetrcFile? {
        guard let path = netrcFile else { return nil }
        let text = try TextFile.text(of: path)
        do throws(NetrcFile.Mistake) {
            return try NetrcFile(text)
        } catch {
            throw BatchFailure(.configuration, "“\(path)”, line \(error.line): \(error.reason)")
        }
    }

    /// Whether a field of all requests selects a part or a representation of bodies.
    ///
    /// Then a part of a body can't be resumed.
    var selectsParts: Bool {
        let names: [HTTPField.Name] = [
            .range, .ifRange, .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince,
            .acceptEncoding,
        ]
        return names.contains { headerFields.contains($0) }
    }

    private static func checkText(_ text: String, _ name: String) throws(BatchFailure) {
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw BatchFailure(
                .configuration,
                "the \(name) has line ends or other control characters: remove them"
            )
        }
    }

    /// Refuses fields that belong to the framing of a message.
    private static func check(_ name: HTTPField.Name) throws(BatchFailure) {
        guard name == .contentLength || name == .transferEncoding else { return }
        throw BatchFailure(
            .configuration,
            "the header field \(name) can't be set for all requests: remove it"
        )
    }
}

extension BatchRequestDefaults {
    /// The user agent among the fields; `nil` for none.
    package var userAgent: String? { headerFields[.userAgent] }

    /// Adds a field in the form of the `curl` command.
    ///
    /// The forms are `Name: value`, `Name;` for an empty value, and `Name:` to omit the field.
    ///
    /// - Throws: ``BatchFailure/Code/configuration``, without the value, which may be a secret.
    package mutating func add(header line: String) throws(BatchFailure) {
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            guard line.utf8.last == UInt8(ascii: ";") else {
                throw BatchFailure(.configuration, "a header has no colon: write 'Name: value'")
            }
            return try add(String(line.dropLast()), "")
        }
        let value = String(line[line.utf8.index(after: colon)...]).trimmingFieldWhitespace
        let name = String(line[..<colon])
        guard value.isEmpty else { return try add(name, value) }
        guard let omitted = HTTPField.Name(name) else { return try add(name, value) }
        omittedFields.insert(omitted)
    }

    private mutating func add(_ name: String, _ value: String) throws(BatchFailure) {
        let field: HTTPField
        do throws(TransportError) {
            field = try HTTPField(validating: name, value: value)
        } catch {
            throw BatchFailure(.configuration, error.message)
        }
        try Self.check(field.name)
        headerFields.append(field)
    }
}

extension BatchRequestDefaults: CustomStringConvertible, CustomReflectable {
    /// The names of fields and the kind of credentials.
    public var description: String {
        let names = headerFields.map(\.name.rawName) + omittedFields.map { "no \($0.rawName)" }
        let parts = names + [credentials.map { "\($0)" }, netrcFile].compactMap(\.self)
        return parts.joined(separator: ", ")
    }

    /// Shows only ``description``.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
