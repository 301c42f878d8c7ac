internal import TestSupport
internal import Testing

@Suite(.enabled(if: Certificates.isAvailable), .timeLimit(.minutes(10)))
struct CertificatesTests {
    private func openssl(_ arguments: String...) async throws -> (status: Int32, output: String) {
        let path = try #require(Executable.path("openssl"))
        return try await NativeThread.run { try ChildProcess.run([path] + arguments) }
    }

    private func verify(_ certificate: String, host: String) async throws -> String {
        let authority = try Certificates.shared().authority
        return try await openssl(
            "verify",
            "-no-CApath",
            "-no-CAstore",
            "-CAfile",
            authority,
            "-verify_hostname",
            host,
            certificate
        ).output
    }

    @Test func serverCertificateIsValidForLocalNames() async throws {
        let certificates = try Certificates.shared()
        #expect(try await verify(certificates.server.certificate, host: "localhost").contains("OK"))
        #expect(
            try await verify(certificates.server.certificate, host: "x.test")
                .contains("hostname mismatch")
        )
        #expect(
            try await verify(certificates.otherHost.certificate, host: "other.test").contains("OK")
        )
    }

    @Test func badCertificatesFailForTheirReason() async throws {
        let certificates = try Certificates.shared()
        #expect(
            try await verify(certificates.expired.certificate, host: "localhost")
                .contains("has expired")
        )
        #expect(
            try await verify(certificates.notYetValid.certificate, host: "localhost")
                .contains("not yet valid")
        )
        #expect(
            try await verify(certificates.selfSigned.certificate, host: "localhost")
                .contains("self-signed")
        )
    }

    @Test func clientKeyOpensWithPassword() async throws {
        let certificates = try Certificates.shared()
        let password = "pass:\(certificates.password)"
        let key = certificates.clientEncryptedKey
        #expect(try await openssl("pkey", "-in", key, "-noout", "-passin", password).status == 0)
        #expect(try await openssl("pkey", "-in", key, "-noout", "-passin", "pass:x").status != 0)
        let container = certificates.clientPKCS12
        let opened = try await openssl(
            "pkcs12",
            "-in",
            container,
            "-nodes",
            "-passin",
            password
        )
        #expect(opened.status == 0)
        #expect(opened.output.contains("PRIVATE KEY"))
    }

    @Test func pinIsSHA256() throws {
        let pin = try Certificates.shared().serverPin
        #expect(pin.hasPrefix("sha256//"))
        #expect(pin.count == "sha256//".count + 44)
    }
}
