public import Foundation
internal import HTTPSemantics

extension RetryPolicy {
    /// The statuses that are retried by default.
    ///
    /// 408 (Request Timeout), 425 (Too Early), 429 (Too Many Requests), 500, 502, 503 and 504.
    public static let defaultRetryableHTTPStatusCodes: Set<Int> = TransientStatus.codes

    /// The errors that are retried by default: they may be temporary.
    public static let defaultRetryableURLErrorCodes = Set(
        errorCodes.filter(\.isRetryable).map(\.code)
    )

    /// All codes that were considered; any other code isn't retried.
    private static let errorCodes: [(code: URLError.Code, isRetryable: Bool)] = [
        (.appTransportSecurityRequiresSecureConnection, false),  // depends on the configuration
        (.backgroundSessionInUseByAnotherProcess, true),  // that process may end
        (.backgroundSessionWasDisconnected, true),  // it may be connected again
        (.badServerResponse, true),  // a server or proxy that was restarted meanwhile
        (.badURL, false),  // stays invalid
        (.callIsActive, true),  // calls end
        (.cancelled, false),  // requested by the caller
        (.cannotCloseFile, false),  // a disk that is full or broken
        (.cannotConnectToHost, true),  // a server that is being restarted
        (.cannotCreateFile, false),
        (.cannotDecodeContentData, false),  // a retry receives the same bytes
        (.cannotDecodeRawData, false),
        (.cannotFindHost, true),  // DNS failures are often temporary
        (.cannotLoadFromNetwork, true),  // a cache-only request; the cache may change
        (.cannotParseResponse, false),  // the server doesn't speak HTTP
        (.clientCertificateRejected, false),
        (.clientCertificateRequired, false),
        (.dataLengthExceedsMaximum, false),
        (.dataNotAllowed, true),  // networks change
        (.dnsLookupFailed, true),
        (.downloadDecodingFailedMidStream, true),  // the connection may have corrupted bytes
        (.downloadDecodingFailedToComplete, true),
        (.fileDoesNotExist, false),
        (.fileIsDirectory, false),
        (.httpTooManyRedirects, false),
        (.internationalRoamingOff, true),
        (.networkConnectionLost, true),  // how idle connections fail
        (.noPermissionsToReadFile, false),
        (.notConnectedToInternet, true),
        (.redirectToNonExistentLocation, false),
        (.requestBodyStreamExhausted, false),
        (.resourceUnavailable, false),
        (.secureConnectionFailed, true),  // includes resets during a handshake
        (.serverCertificateHasBadDate, false),  // no certificate is renewed within seconds
        (.serverCertificateHasUnknownRoot, false),
        (.serverCertificateNotYetValid, false),
        (.serverCertificateUntrusted, false),
        (.timedOut, true),
        (.unknown, false),
        (.unsupportedURL, false),
        (.userAuthenticationRequired, false),
        (.userCancelledAuthentication, false),
        (.zeroByteResource, false),
    ]
}
