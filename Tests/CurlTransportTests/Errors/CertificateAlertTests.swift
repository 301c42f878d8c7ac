import Curl
import Testing

@testable import CurlTransport

/// Tests which errors a server's TLS alerts about the client's certificate become.
@Suite struct CertificateAlertTests {
    private func code(
        _ curl: CurlCode,
        _ words: String,
        lacksIdentity: Bool
    ) -> TransportError.Code {
        var context = FailureContext(scheme: "https", url: "https://h/p")
        context.errorBuffer = words
        context.lacksIdentity = lacksIdentity
        return TransportError(curlCode: curl, context: context).code
    }

    @Test(
        "An alert about the client's certificate means that the server has refused it",
        arguments: [CurlCode.sslConnectError, .recvError, .sendError],
        [
            "sslv3 alert bad certificate", "sslv3 alert unsupported certificate",
            "sslv3 alert certificate revoked", "sslv3 alert certificate expired",
            "sslv3 alert certificate unknown", "tlsv1 alert unknown ca",
            "tlsv1 alert access denied", "ssl/tls alert bad certificate",
        ]
    )
    func alertAboutACertificateIsARefusal(_ curl: CurlCode, _ words: String) {
        #expect(code(curl, "SSL routines::\(words)", lacksIdentity: false) == .clientCertificate)
    }

    @Test(
        "Without a client certificate, an alert about a bad one means that one is required",
        arguments: [
            "tlsv13 alert certificate required", "sslv3 alert bad certificate",
            "ssl/tls alert bad certificate",
        ]
    )
    func alertWithoutACertificateIsARequirement(_ words: String) {
        let found = code(.recvError, "SSL routines::\(words)", lacksIdentity: true)
        #expect(found == .clientCertificateRequired)
    }

    @Test("Other alerts don't concern the client's certificate")
    func otherAlertsAreFailedHandshakes() {
        for words in ["sslv3 alert handshake failure", "tlsv1 alert protocol version"] {
            let found = code(.sslConnectError, "SSL routines::\(words)", lacksIdentity: true)
            #expect(found == .tlsHandshakeFailed)
        }
    }

    @Test("A request for a client certificate differs from a refusal to continue without one")
    func requestDiffersFromRefusal() {
        let request = TransportError.certificateRequested(url: "https://h/p")
        #expect(request.code == .clientCertificateRequired)
        #expect(request.isCertificateRequest)
        #expect(request.retry == .never)
        var context = FailureContext(scheme: "https", url: "https://h/p")
        context.errorBuffer = "tlsv13 alert certificate required"
        let refusal = TransportError(curlCode: .recvError, context: context)
        #expect(refusal.code == .clientCertificateRequired)
        #expect(!refusal.isCertificateRequest)
    }
}
