internal import Curl
internal import HTTPSemantics
public import HTTPTypes
internal import Posix

extension HTTPRequest {
    /// Creates a request for an `http` or `https` URL.
    ///
    /// The path is sent unchanged, including dot segments. Bytes of path and query that aren't
    /// ASCII are percent-encoded, and the fragment is removed. A user name and password in the URL
    /// become a Basic `Authorization` field (RFC 7617), unless `headerFields` has an
    /// `Authorization` already, and are removed from the URL. A host has at most 253 characters.
    ///
    /// - Throws: ``TransportError`` with the code `invalidURL` or `unsupportedURL`.
    public init(
        method: Method = .get,
        url: String,
        headerFields: HTTPFields = [:]
    ) throws(TransportError) {
        let parts = try Self.parts(of: url)
        guard parts.scheme == "http" || parts.scheme == "https" else {
            throw .unsupportedURL(scheme: parts.scheme)
        }
        self.init(
            method: method,
            scheme: parts.scheme,
            authority: parts.authority,
            path: parts.path,
            headerFields: headerFields
        )
        guard let credentials = parts.credentials, !headerFields.contains(.authorization)
        else { return }
        guard !credentials.user.utf8.contains(ASCII.colon) else {
            throw .invalidURL(
                "its user name has a colon, which Basic authentication can't carry; set the "
                    + "Authorization field instead"
            )
        }
        self.headerFields[.authorization] = Self.basic(credentials.user, credentials.password)
    }

    /// The value of an `Authorization` field for a user whose name has no colon (RFC 7617).
    package static func basic(_ user: String, _ password: String) -> String {
        "Basic \(Base64.encode(Array("\(user):\(password)".utf8)))"
    }

    /// The request's URL; nil if the scheme or the authority is missing.
    ///
    /// It consists of `scheme`, `authority` and `path`, which aren't checked.
    public var url: String? {
        guard let scheme, let authority else { return nil }
        let path = path ?? "/"
        // `OPTIONS *` concerns the server as a whole (RFC 9110, section 9.3.7).
        guard path != "*" else { return "\(scheme)://\(authority)/" }
        return "\(scheme)://\(authority)\(path)"
    }

    private struct Parts {
        let scheme: String
        let authority: String
        let path: String
        let credentials: (user: String, password: String)?
    }

    private static func parts(of text: String) throws(TransportError) -> Parts {
        if let url = PlainURL(text) {
            return Parts(
                scheme: url.scheme,
                authority: url.authority,
                path: url.pathAndQuery,
                credentials: nil
            )
        }
        do throws(CurlURL.Failure) {
            let url = try CurlURL(parsing: text)
            return Parts(
                scheme: url.scheme,
                authority: url.authority,
                path: url.pathAndQuery,
                credentials: try credentials(of: url)
            )
        } catch {
            guard error.reason != .unsupportedScheme else {
                throw .unsupportedURL(scheme: String(text.prefix { $0 != ":" }))
            }
            throw .invalidURL(error.message)
        }
    }

    private static func credentials(
        of url: borrowing CurlURL
    ) throws(CurlURL.Failure) -> (user: String, password: String)? {
        let user = try url.user ?? ""
        let password = try url.password ?? ""
        // `http://@host/` has no credentials.
        return user.isEmpty && password.isEmpty ? nil : (user, password)
    }
}
