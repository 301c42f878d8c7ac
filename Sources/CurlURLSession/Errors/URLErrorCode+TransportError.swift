internal import CurlTransport
internal import Foundation

// Apple's codes, by `URLError.Code`: on Linux, Foundation's global constants for TLS errors are off
// by one. Every code of the transport is listed explicitly; a test fails if one is missing.

extension URLError.Code {
    /// The `URLError` code for a transport error.
    init(_ error: TransportError) {
        switch error.code {
        case .cancelled, .shutdown:
            self = .cancelled
        case .poolTimeout, .connectTimeout, .tlsTimeout, .firstByteTimeout, .idleTimeout,
            .deadlineExceeded:
            self = .timedOut
        default:
            self =
                Self(request: error) ?? Self(reaching: error.code) ?? Self(securing: error)
                ?? Self(exchange: error.code) ?? .unknown
        }
    }

    /// Errors of the request or of this process.
    private init?(request error: TransportError) {
        switch error.code {
        case .invalidRequest:
            // With a CURLcode, the value of an option was invalid.
            self = error.curlCode == nil ? .badURL : .unknown
        case .invalidURL:
            self = .badURL
        case .unsupportedURL:
            self = .unsupportedURL
        case .requestBodyFailed, .bodyNotReplayable:
            self = .requestBodyStreamExhausted
        case .fileWriteFailed:
            self = .cannotWriteToFile
        case .queueFull, .circuitOpen:
            self = .resourceUnavailable
        case .unsupportedFeature, .configuration, .resourceExhausted, .internal, .unknown:
            self = .unknown
        default:
            return nil
        }
    }

    private init?(reaching code: TransportError.Code) {
        switch code {
        case .hostNotFound, .proxyNotFound:
            self = .cannotFindHost
        case .connectRefused, .connectFailed, .addressRefused, .noLocalPort, .bindFailed,
            .proxyFailed:
            self = .cannotConnectToHost
        case .networkUnreachable:
            self = .notConnectedToInternet
        case .proxyRefused:
            self = .badServerResponse
        default:
            return nil
        }
    }

    private init?(securing error: TransportError) {
        switch error.code {
        case .tlsHandshakeFailed, .tlsConfiguration:
            self = .secureConnectionFailed
        case .certificateExpired:
            self = .serverCertificateHasBadDate
        case .certificateNotYetValid:
            self = .serverCertificateNotYetValid
        case .certificateUntrusted:
            self = Self(untrusted: error)
        case .certificateRevoked, .certificateHostname, .certificateStatus, .pinMismatch,
            .trustRefused:
            self = .serverCertificateUntrusted
        case .clientCertificate:
            self = .clientCertificateRejected
        case .clientCertificateRequired:
            self = .clientCertificateRequired
        default:
            return nil
        }
    }

    /// Distinguishes a chain with an unknown root from an invalid one.
    ///
    /// OpenSSL's verification results: 2 and 20, the issuer's certificate is missing; 18 and 19,
    /// self-signed; 21, no chain. CURLcodes: 82 and 83, the issuer couldn't be checked.
    private init(untrusted error: TransportError) {
        switch (error.verifyResult, error.curlCode) {
        case (2, _), (18, _), (19, _), (20, _), (21, _), (_, 82), (_, 83):
            self = .serverCertificateHasUnknownRoot
        default:
            self = .serverCertificateUntrusted
        }
    }

    private init?(exchange code: TransportError.Code) {
        switch code {
        case .connectionLost, .emptyReply, .unanswered, .truncatedResponse, .http2Connection,
            .streamReset, .http3:
            self = .networkConnectionLost
        case .invalidResponse, .rangeNotSupported:
            self = .badServerResponse
        case .responseHeadTooLarge, .responseTooLarge:
            self = .dataLengthExceedsMaximum
        case .decodingFailed:
            self = .cannotDecodeRawData
        case .authenticationFailed:
            self = .userAuthenticationRequired
        case .tooManyRedirects:
            self = .httpTooManyRedirects
        case .redirectForbidden:
            self = .redirectToNonExistentLocation
        default:
            return nil
        }
    }
}
