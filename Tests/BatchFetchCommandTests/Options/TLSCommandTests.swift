import TestSupport
import Testing

/// The command's options for TLS, against nginx.
@Suite(.enabled(if: NginxPeer.isAvailable), .timeLimit(.minutes(10)))
struct TLSCommandTests {
    let folder: TemporaryDirectory
    let nginx: NginxPeer
    let certificates: Certificates

    init() async throws {
        folder = try TemporaryDirectory()
        nginx = try await NginxPeer.shared()
        certificates = nginx.certificates
    }

    private func run(_ arguments: [String]) async throws -> CommandRun.Ending {
        try await CommandRun.ending(["--retries", "0"] + arguments)
    }

    @Test("Given --cacert, then certificates of that authority are accepted, and no others")
    func authorityIsTrusted() async throws {
        var ending = try await run([nginx.url(.https)])
        #expect(ending.status == 1 && ending.output.contains("certificate_untrusted"), "\(ending)")
        ending = try await run(["--cacert", certificates.authority, nginx.url(.https)])
        #expect(ending.status == 0, "\(ending)")
        #expect(!(ending.output + ending.errors).contains("insecure"))
        ending = try await run(["--cacert", certificates.authority, nginx.url(.selfSigned)])
        #expect(ending.status == 1, "\(ending)")
    }

    @Test("Given --cert and --key, then a server that requests a certificate gets it")
    func clientCertificateIsSent() async throws {
        let url = nginx.url(.clientCertificate)
        let trust = ["--cacert", certificates.authority]
        var ending = try await run(trust + [url])
        #expect(ending.status == 1, "\(ending)")
        let client = certificates.client
        ending = try await run(trust + ["--cert", client.certificate, "--key", client.key, url])
        #expect(ending.status == 0, "\(ending)")
        let password = try folder.write(certificates.password + "\n", to: "password")
        let encrypted = ["--cert", client.certificate, "--key", certificates.clientEncryptedKey]
        ending = try await run(trust + encrypted + ["--key-password-file", password, url])
        #expect(ending.status == 0, "\(ending)")
        ending = try await run(trust + encrypted + [url])
        #expect(ending.status == 2 && ending.errors.contains("needs a password"), "\(ending)")
        ending = try await run(
            trust + ["--cert", certificates.clientPKCS12, "--key-password-file", password, url]
        )
        #expect(ending.status == 0, "\(ending)")
        #expect(!(ending.output + ending.errors).contains(certificates.password))
    }

    @Test("Given pins, then one of them must be the server's key, also with --insecure")
    func oneOfThePinsMustMatch() async throws {
        let url = nginx.url(.https)
        let other = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
        for trust in [["--cacert", certificates.authority], ["--insecure"]] {
            var ending = try await run(
                trust + ["--pin", other, "--pin", certificates.serverPin, url]
            )
            #expect(ending.status == 0, "\(ending)")
            ending = try await run(trust + ["--pin", other, url])
            #expect(ending.status == 1, "\(ending)")
        }
    }

    @Test("Given --insecure, then a warning precedes the run, and the summary has another")
    func insecureRunsWarn() async throws {
        let summary = folder.path("summary.json")
        let ending = try await run([
            "--insecure", "--log-level", "warning", "--summary-json", summary,
            nginx.url(.selfSigned), nginx.url(.otherHost),
        ])
        #expect(ending.status == 0, "\(ending)")
        #expect(ending.errors.contains("batchfetch: warning: --insecure accepts any certificate"))
        #expect(ending.errors.contains("certificates of servers are not verified"))
        #expect(ending.output.contains("certificates were not verified (--insecure)\n"))
        let json = String(decoding: try folder.read("summary.json"), as: UTF8.self)
        #expect(json.contains("\"insecure\":true"), "\(json)")
        let quiet = try await run(["--insecure", "--quiet", nginx.url(.selfSigned)])
        #expect(quiet.errors.contains("warning: --insecure"), "\(quiet)")
    }

    @Test("Given a file that can't be used, then the command exits with 2 and names it")
    func unusableFilesExitWith2() async throws {
        let missing = folder.path("none.pem")
        let plain = try folder.write("no certificate", to: "plain.pem")
        let wrong = try folder.write("wrong\n", to: "wrong")
        let fake = try folder.write("no PKCS#12", to: "plain.p12")
        let client = certificates.client
        let cases: [([String], String)] = [
            (["--cacert", missing], "the CA certificates can't be read: cannot open “\(missing)”"),
            (["--cacert", folder.path], "the CA certificates can't be read: "),
            (["--cacert", plain], "“\(plain)” can't be used: the file has no line “-----BEGIN"),
            (["--cacert", "/dev/null"], "“/dev/null” can't be used: it is no file"),
            (["--cert", missing], "the client certificate can't be read"),
            (["--cert", client.certificate, "--key", missing], "the client's key can't be read"),
            (["--cert", client.certificate], "has no line “-----BEGIN … PRIVATE KEY-----”"),
            (["--cert", client.certificate, "--key-password-file", missing], "cannot open"),
            (["--key", client.key], "--key needs the certificate: add --cert FILE."),
            (["--cert", certificates.clientPKCS12, "--key", client.key], "contains the key"),
            (
                ["--cert", client.certificate, "--key", certificates.server.key],
                "the key in “\(certificates.server.key)” isn't that of the first certificate"
            ),
            (
                [
                    "--cert", client.certificate, "--key", certificates.clientEncryptedKey,
                    "--key-password-file", wrong,
                ],
                "the password isn't that of “\(certificates.clientEncryptedKey)”"
            ),
            (
                ["--cert", certificates.clientPKCS12, "--key-password-file", wrong],
                "the password isn't that of “\(certificates.clientPKCS12)”"
            ),
            (["--cert", certificates.clientPKCS12], "needs a password"),
            (["--cert", fake], "“\(fake)” isn't a PKCS#12 file"),
            (["--pin", "sha256//AAAA"], "pin 1 is not sha256// and a SHA-256 digest"),
            (["--pin", client.key], "pin 1 is not sha256// and a SHA-256 digest"),
            (["--cacert", ""], "--cacert is empty: name a file."),
        ]
        for (options, message) in cases {
            for dry in [[], ["--dry-run"]] {
                let ending = try await run(options + dry + [nginx.url(.https)])
                #expect(ending.status == 2, "\(options): \(ending)")
                #expect(ending.errors.contains(message), "\(options): \(ending.errors)")
            }
        }
    }
}
