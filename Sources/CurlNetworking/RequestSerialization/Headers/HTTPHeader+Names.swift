internal import Foundation

// Fields that requests often have.

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
    /// A request without it says what libcurl can decode, which is then decoded.
    public static func acceptEncoding(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Accept-Encoding", value: value)
    }

    /// `Accept-Language` (RFC 9110, 12.5.4).
    public static func acceptLanguage(_ value: String) -> HTTPHeader {
        HTTPHeader(name: "Accept-Language", value: value)
    }

    /// `Authorization` with a user's name and password in the clear (RFC 7617).
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

    /// The languages that this process' environment asks for, as ``HTTPRequestSerializer`` sends them
    /// by default.
    public static var defaultAcceptLanguage: HTTPHeader {
        acceptLanguage(AcceptLanguage.fieldValue(of: ProcessInfo.processInfo.environment))
    }

    /// The name and version of this program, as ``HTTPRequestSerializer`` sends them by default.
    public static var defaultUserAgent: HTTPHeader { userAgent(UserAgent.ofThisProgram) }
}
