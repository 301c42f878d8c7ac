internal import Foundation

/// One header field: a name and a value.
public struct HTTPHeader: Hashable, Sendable, Codable {
    /// The name as given. Its case is ignored (RFC 9110, 5.1).
    public let name: String
    /// The value as given.
    ///
    /// A request fails before it is sent if a value has a NUL, or a line break that doesn't fold the
    /// line.
    public let value: String

    /// Creates a field.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// Whether the field has a name, ignoring case.
    func isNamed(_ other: String) -> Bool {
        name.utf8.count == other.utf8.count && name.lowercased() == other.lowercased()
    }
}

extension HTTPHeader: CustomStringConvertible {
    /// `Name: value`.
    public var description: String { "\(name): \(value)" }
}

// Common request header fields.

extension HTTPHeader {
    /// `Accept` (RFC 9110, 12.5.1).
    public static func accept(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Accept", value: value)
    }

    /// `Accept-Charset` (RFC 9110, 12.5.2).
    public static func acceptCharset(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Accept-Charset", value: value)
    }

    /// `Accept-Encoding` (RFC 9110, 12.5.3).
    ///
    /// A request without this field offers the supported encodings, and its response is decoded.
    public static func acceptEncoding(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Accept-Encoding", value: value)
    }

    /// `Accept-Language` (RFC 9110, 12.5.4).
    public static func acceptLanguage(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Accept-Language", value: value)
    }

    /// `Authorization` with Basic credentials, which aren't encrypted (RFC 7617).
    public static func authorization(username: String, password: String) -> HTTPHeader {
        authorization("Basic " + Data("\(username):\(password)".utf8).base64EncodedString())
    }

    /// `Authorization` with a bearer token (RFC 6750).
    public static func authorization(bearerToken: String) -> HTTPHeader {
        authorization("Bearer " + bearerToken)
    }

    /// `Authorization` (RFC 9110, 11.6.2).
    public static func authorization(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Authorization", value: value)
    }

    /// `Content-Disposition` (RFC 6266).
    public static func contentDisposition(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Content-Disposition", value: value)
    }

    /// `Content-Type` (RFC 9110, 8.3).
    public static func contentType(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Content-Type", value: value)
    }

    /// `User-Agent` (RFC 9110, 10.1.5).
    public static func userAgent(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "User-Agent", value: value)
    }

    /// The languages of this process's environment, the default of ``HTTPRequestSerializer``.
    public static var defaultAcceptLanguage: HTTPHeader {
        acceptLanguage(AcceptLanguage.fieldValue(of: ProcessInfo.processInfo.environment))
    }

    /// The name and version of this program, the default of ``HTTPRequestSerializer``.
    public static var defaultUserAgent: HTTPHeader { userAgent(UserAgent.ofThisProgram) }
}
