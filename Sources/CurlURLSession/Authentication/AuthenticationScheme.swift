internal import Foundation

/// A way to authenticate over HTTP, of those that the engine knows.
///
/// In the order of preference: what sends no password goes before what does.
enum AuthenticationScheme: Int, Sendable, CaseIterable {
    case negotiate
    case digest
    case ntlm
    case basic

    /// `nil` for a scheme that the engine doesn't know.
    init?(name: String) {
        let found = Self.allCases.first { $0.name.equalsIgnoringASCIICase(name) }
        guard let found else { return nil }
        self = found
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

    /// The constant that a protection space says it by.
    var method: String {
        switch self {
        case .negotiate: NSURLAuthenticationMethodNegotiate
        case .digest: NSURLAuthenticationMethodHTTPDigest
        case .ntlm: NSURLAuthenticationMethodNTLM
        case .basic: NSURLAuthenticationMethodHTTPBasic
        }
    }
}
