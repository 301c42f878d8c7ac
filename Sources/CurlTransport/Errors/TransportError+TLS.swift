internal import Curl
internal import Glibc

extension TransportError.Mapping {
    /// Failures of TLS, of certificates and of their verification.
    init?(tls code: CurlCode, _ context: FailureContext) {
        switch code {
        case .sslConnectError, .useSSLFailed:
            self.init(handshakeFailure: context)
        case .peerFailedVerification, .obsolete51:
            self.init(untrusted: context)
        case .sslCertProblem:
            self = .unusableClientCertificate
        case .badFunctionArgument where context.errorContains("private key file"):
            // libcurl 8.23, for a wrong password.
            self = .unusableClientCertificate
        case .sslClientCert:
            self.init(
                .clientCertificateRequired,
                "the server requires a client certificate",
                "Configure one.",
                phase: .tls
            )
        case .sslPinnedPublicKeyNotMatch:
            self.init(
                .pinMismatch,
                "the server's public key is none of the pinned ones",
                "Either the server's key was changed, or someone intercepts the connection.",
                phase: .tls
            )
        case .sslInvalidCertStatus:
            self.init(
                .certificateStatus,
                "the server's certificate status is missing or bad",
                phase: .tls
            )
        case .sslCRLBadFile, .sslIssuerError:
            self.init(
                .certificateUntrusted,
                "the certificate's issuer couldn't be checked",
                "Check the revocation list and the issuer certificate.",
                phase: .tls
            )
        case .sslCACertBadFile:
            self.init(
                .tlsConfiguration,
                "the trusted certificates couldn't be read",
                "Check the path of the CA file; a small system image may have none "
                    + "(package ca-certificates).",
                phase: .tls
            )
        case .sslCipher:
            self.init(
                .tlsConfiguration,
                "the configured ciphers can't be used",
                "Check their names.",
                phase: .tls
            )
        case .sslEngineNotFound, .sslEngineSetFailed, .sslEngineInitFailed:
            self.init(
                .tlsConfiguration,
                "the crypto engine can't be used",
                "Check the name of the engine.",
                phase: .tls
            )
        case .sslShutdownFailed:
            self.init(.connectionLost, "the TLS connection couldn't be closed")
        case .echRequired:
            self.init(
                .tlsHandshakeFailed,
                "the server didn't accept the encrypted client hello",
                phase: .tls,
                retry: .never
            )
        default:
            return nil
        }
    }

    private static let unusableClientCertificate = Self(
        .clientCertificate,
        "the client certificate or its key can't be used",
        "Check the files, their kind and the password.",
        phase: .tls
    )

    private init(handshakeFailure context: FailureContext) {
        if let alert = Self(clientCertificateAlert: context) {
            self = alert
            return
        }
        switch context.systemErrno {
        case ECONNRESET, EPIPE, ECONNABORTED:
            self.init(
                .connectionLost,
                "the connection was lost in the TLS handshake",
                phase: .tls,
                retry: .always,
                usesErrno: true
            )
        default:
            self.init(
                .tlsHandshakeFailed,
                "the TLS handshake failed",
                "Check that the port is one of a TLS server, and which TLS versions it speaks.",
                phase: .tls
            )
        }
    }

    /// Maps the server's TLS alert about the client certificate.
    ///
    /// With TLS 1.3 the alert may arrive after the client's side of the handshake is complete,
    /// while receiving.
    init?(clientCertificateAlert context: FailureContext) {
        guard context.errorContains("alert") else { return nil }
        // Before TLS 1.3 some servers call a missing certificate a bad one.
        if context.errorContains("certificate required")
            || (context.lacksIdentity && context.errorContains("bad certificate"))
        {
            self.init(
                .clientCertificateRequired,
                "the server requires a client certificate",
                "Configure one.",
                phase: .tls
            )
        } else if Self.refusals.contains(where: { context.errorContains($0) })
            || (!context.lacksIdentity && context.errorContains("access denied"))
        {
            self.init(
                .clientCertificate,
                "the server refused the client certificate",
                "Check which certificates the server accepts.",
                phase: .tls
            )
        } else {
            return nil
        }
    }

    /// OpenSSL's names of the alerts 42 to 46 and 48 (RFC 8446, 6.2), which concern a certificate.
    private static let refusals = [
        "bad certificate", "unsupported certificate", "certificate revoked", "certificate expired",
        "certificate unknown", "unknown ca",
    ]

    // The numbers are OpenSSL's X509_V_ERR_ constants, which never change.
    private init(untrusted context: FailureContext) {
        switch context.verifyResult {
        case 10:
            self.init(expired: ())
        case 9:
            self.init(notYetValid: ())
        case 23:
            self.init(.certificateRevoked, "the server's certificate was revoked")
        case 62, 64:
            self.init(otherName: ())
        case 18:
            self.init(
                .certificateUntrusted,
                "the server's certificate is self-signed",
                "If it is the right one, add it to the trusted certificates."
            )
        case 2, 19, 20, 21:
            self.init(
                .certificateUntrusted,
                "the server's certificate leads to no trusted root",
                "If it is the right one, add its root to the trusted certificates."
            )
        default:
            self.init(untrustedInWords: context)
        }
        phase = .tls
    }

    /// Uses libcurl's text if there is no number: a host name mismatch leaves it at zero.
    private init(untrustedInWords context: FailureContext) {
        if context.errorContains("subject name") || context.errorContains("common name") {
            self.init(otherName: ())
        } else if context.errorContains("has expired") {
            self.init(expired: ())
        } else if context.errorContains("not yet valid") {
            self.init(notYetValid: ())
        } else if context.errorContains("revoked") {
            self.init(.certificateRevoked, "the server's certificate was revoked")
        } else {
            self.init(.certificateUntrusted, "the server's certificate couldn't be verified")
        }
    }

    private init(expired: Void) {
        self.init(
            .certificateExpired,
            "the server's certificate has expired",
            "Renew it, and check this machine's clock."
        )
    }

    private init(notYetValid: Void) {
        self.init(
            .certificateNotYetValid,
            "the server's certificate is not valid yet",
            "Check this machine's clock."
        )
    }

    private init(otherName: Void) {
        self.init(
            .certificateHostname,
            "the server's certificate is for another name",
            "Use a name that the certificate has."
        )
    }
}
