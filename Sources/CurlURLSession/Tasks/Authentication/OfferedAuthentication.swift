internal import CurlTransport
internal import Foundation
internal import HTTPSemantics

/// One challenge of a `WWW-Authenticate` or `Proxy-Authenticate` field (RFC 9110, 11.6).
struct OfferedAuthentication: Sendable, Hashable {
    /// The scheme's name as it was sent.
    let scheme: String
    /// In the order sent, with lowercase names and unquoted values.
    let parameters: [HeaderLine]

    /// The value of the first parameter with this name, which must be lowercase.
    subscript(parameter: String) -> String? {
        parameters.first { $0.name == parameter }?.value
    }

    /// Whether a header field alone answers the challenge, without libcurl's help.
    var isAnsweredByField: Bool { AuthenticationScheme(name: scheme) == .basic }

    /// Parses the challenges of all fields of one name, in order.
    ///
    /// A field may contain several challenges. Commas separate them, and also their parameters: a
    /// word without `=` after it begins the next challenge. Malformed parts are skipped.
    static func list(_ values: [String]) -> [OfferedAuthentication] {
        values.flatMap { value in
            var reader = Reader(value)
            return reader.challenges()
        }
    }

    /// Parses the value of one field.
    private struct Reader {
        private var scanner: FieldScanner
        private var found: [OfferedAuthentication] = []
        private var scheme: String?
        private var parameters: [HeaderLine] = []

        init(_ text: String) {
            scanner = FieldScanner(text.utf8)
        }

        mutating func challenges() -> [OfferedAuthentication] {
            repeat { readMember() } while scanner.skip(",")
            close()
            return found
        }

        /// Reads one list member: a scheme, a parameter, or a scheme with its first parameter.
        private mutating func readMember() {
            var member = FieldScanner(scanner.listMember().trimmingFieldWhitespace.utf8)
            let word = member.text(upTo: "=", or: " ")
            guard !word.isEmpty else { return }
            member.skipWhitespace()
            if member.skip("=") {
                return add(word, &member)
            }
            close()
            scheme = word
            let name = member.text(upTo: "=").trimmingFieldWhitespace
            // A lone token, such as in a round of Negotiate, isn't a parameter.
            guard !name.isEmpty, member.skip("=") else { return }
            add(name, &member)
        }

        private mutating func add(_ name: String, _ member: inout FieldScanner) {
            guard scheme != nil else { return }
            member.skipWhitespace()
            let value = member.quotedString() ?? member.text(upTo: " ")
            parameters.append(HeaderLine(name: name.lowercased(), value: value))
        }

        private mutating func close() {
            if let scheme {
                found.append(OfferedAuthentication(scheme: scheme, parameters: parameters))
            }
            (scheme, parameters) = (nil, [])
        }
    }
}

/// An HTTP authentication scheme that the transport supports.
///
/// The cases are in order of preference: Basic, which sends the password, is last.
enum AuthenticationScheme: Int, Sendable, CaseIterable {
    case negotiate
    case digest
    case ntlm
    case basic

    /// Returns `nil` for a scheme that the transport or the installed libcurl doesn't support.
    init?(name: String, available: ProxyServer.AuthenticationKinds = .available) {
        let found = Self.allCases.first { $0.name.equalsIgnoringASCIICase(name) }
        guard let found, available.contains(found.kind) else { return nil }
        self = found
    }

    private var kind: ProxyServer.AuthenticationKinds {
        switch self {
        case .negotiate: .negotiate
        case .digest: .digest
        case .ntlm: .ntlm
        case .basic: .basic
        }
    }

    /// The scheme's name in a challenge.
    private var name: String {
        switch self {
        case .negotiate: "Negotiate"
        case .digest: "Digest"
        case .ntlm: "NTLM"
        case .basic: "Basic"
        }
    }

    /// The scheme's constant for ``URLProtectionSpace/authenticationMethod``.
    var method: String {
        switch self {
        case .negotiate: NSURLAuthenticationMethodNegotiate
        case .digest: NSURLAuthenticationMethodHTTPDigest
        case .ntlm: NSURLAuthenticationMethodNTLM
        case .basic: NSURLAuthenticationMethodHTTPBasic
        }
    }
}
