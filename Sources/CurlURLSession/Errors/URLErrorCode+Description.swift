internal import Foundation

extension URLError.Code {
    /// The English text that Apple's Foundation has for the code, which programs may show or
    /// compare.
    ///
    /// Most texts are short. The one for a certificate names the server.
    ///
    /// - Parameter host: The server; `nil` if it is unknown.
    func localizedText(host: String?) -> String {
        if let host, let text = securityText(of: host) { return text }
        return Self.texts[self]
            ?? "The operation couldn’t be completed. (\(NSURLErrorDomain) error \(rawValue).)"
    }

    /// The text that names the server; `nil` for codes that don't concern a certificate.
    private func securityText(of host: String) -> String? {
        switch self {
        case .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
            Self.securing[self].map {
                "\($0) You might be connecting to a server that is pretending to be “\(host)” which "
                    + "could put your confidential information at risk."
            }
        case .clientCertificateRejected:
            "The server “\(host)” did not accept the certificate."
        case .clientCertificateRequired:
            "The server “\(host)” requires a client certificate."
        default:
            nil
        }
    }

    private static let texts = reaching.merging(exchanging) { text, _ in text }
        .merging(securing) { text, _ in text }.merging(writing) { text, _ in text }

    /// Failures of the request, of the network, and before a connection.
    private static let reaching: [URLError.Code: String] = [
        .unknown: "unknown error",
        .cancelled: "cancelled",
        .badURL: "bad URL",
        .timedOut: "The request timed out.",
        .unsupportedURL: "unsupported URL",
        .cannotFindHost: "A server with the specified hostname could not be found.",
        .cannotConnectToHost: "Could not connect to the server.",
        .networkConnectionLost: "The network connection was lost.",
        .dnsLookupFailed: "DNS lookup error",
        .notConnectedToInternet: "The Internet connection appears to be offline.",
        .internationalRoamingOff: "International roaming is currently off.",
        .callIsActive:
            "A data connection cannot be established since a call is currently active.",
        .dataNotAllowed: "A data connection is not currently allowed.",
        .requestBodyStreamExhausted: "request body stream exhausted",
        .appTransportSecurityRequiresSecureConnection:
            "The resource could not be loaded because the App Transport Security policy requires "
            + "the use of a secure connection.",
    ]

    /// Failures of responses.
    private static let exchanging: [URLError.Code: String] = [
        .httpTooManyRedirects: "too many HTTP redirects",
        .resourceUnavailable: "resource unavailable",
        .redirectToNonExistentLocation: "redirected to nonexistent location",
        .badServerResponse: "There was a bad response from the server.",
        .zeroByteResource: "zero byte resource",
        .cannotDecodeRawData: "cannot decode raw data",
        .cannotDecodeContentData: "cannot decode content data",
        .cannotParseResponse: "cannot parse response",
        .fileDoesNotExist: "The requested URL was not found on this server.",
        .fileIsDirectory: "file is directory",
        .noPermissionsToReadFile: "You do not have permission to access the requested resource.",
        .dataLengthExceedsMaximum: "resource exceeds maximum size",
        .cannotLoadFromNetwork: "can’t load from network",
    ]

    /// Failures of TLS, without the server's name.
    private static let securing: [URLError.Code: String] = [
        .secureConnectionFailed:
            "An SSL error has occurred and a secure connection to the server cannot be made.",
        .serverCertificateHasBadDate: "The certificate for this server has expired.",
        .serverCertificateUntrusted: "The certificate for this server is invalid.",
        .serverCertificateHasUnknownRoot:
            "The certificate for this server was signed by an unknown certifying authority.",
        .serverCertificateNotYetValid: "The certificate for this server is not yet valid.",
        .clientCertificateRejected: "The server did not accept the certificate.",
        .clientCertificateRequired: "The server requires a client certificate.",
    ]

    /// Failures of files that downloads write.
    private static let writing: [URLError.Code: String] = [
        .cannotCreateFile: "Cannot create file",
        .cannotOpenFile: "Cannot open file",
        .cannotCloseFile: "Failure occurred while closing file",
        .cannotWriteToFile: "Cannot write file",
        .cannotRemoveFile: "Cannot remove file",
        .cannotMoveFile: "Cannot move file",
        .downloadDecodingFailedMidStream: "Download decoding failed mid-stream",
        .downloadDecodingFailedToComplete: "Download decoding failed to complete",
    ]
}
