public import Foundation

extension RetryPolicy {
    /// 408 (the server gave up waiting for the request), 429 (too many requests), 500, 502, 503 and 504.
    public static let defaultRetryableHTTPStatusCodes: Set<Int> = [408, 429, 500, 502, 503, 504]

    /// What of a transfer's errors may pass by itself.
    public static let defaultRetryableURLErrorCodes = Set(
        errorCodes.filter(\.isRetryable).map(\.code)
    )

    /// The codes that were thought about; any other isn't tried again.
    private static let errorCodes: [(code: URLError.Code, isRetryable: Bool)] = [
        (.appTransportSecurityRequiresSecureConnection, false),  // a matter of configuration
        (.backgroundSessionInUseByAnotherProcess, true),  // which may end
        (.backgroundSessionWasDisconnected, true),  // may be connected again
        (.badServerResponse, true),  // a server or proxy that was restarted meanwhile
        (.badURL, false),  // and stays so
        (.callIsActive, true),  // calls end
        (.cancelled, false),  // somebody wanted that
        (.cannotCloseFile, false),  // a disk that is full or broken
        (.cannotConnectToHost, true),  // a server that is being restarted
        (.cannotCreateFile, false),
        (.cannotDecodeContentData, false),  // would be the same bytes
        (.cannotDecodeRawData, false),
        (.cannotFindHost, true),  // name servers have bad moments
        (.cannotLoadFromNetwork, true),  // only what is cached was wanted, which may change
        (.cannotParseResponse, false),  // a server that speaks no HTTP
        (.clientCertificateRejected, false),
        (.clientCertificateRequired, false),
        (.dataLengthExceedsMaximum, false),
        (.dataNotAllowed, true),  // networks change
        (.dnsLookupFailed, true),
        (.downloadDecodingFailedMidStream, true),  // a connection that changed bytes
        (.downloadDecodingFailedToComplete, true),
        (.fileDoesNotExist, false),
        (.fileIsDirectory, false),
        (.httpTooManyRedirects, false),
        (.internationalRoamingOff, true),
        (.networkConnectionLost, true),  // connections that were kept open end like this
        (.noPermissionsToReadFile, false),
        (.notConnectedToInternet, true),
        (.redirectToNonExistentLocation, false),
        (.requestBodyStreamExhausted, false),
        (.resourceUnavailable, false),
        (.secureConnectionFailed, true),  // resets in a handshake, too
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
