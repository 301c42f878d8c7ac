import HTTPSemantics
import TestSupport
import Testing

@testable import BatchFetch

/// Signatures of AWS, computed again here from the requests that arrive.
@Suite(.timeLimit(.minutes(10))) struct SignatureTests {
    private static let secretKey = "s3cret/key"

    private static func hash(_ bytes: [UInt8]) -> [UInt8] { MessageDigest.of(bytes, .sha256) }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// HMAC with SHA-256 and a key of at most 64 bytes (RFC 2104).
    private static func hmac(_ key: [UInt8], _ text: String) -> [UInt8] {
        let block = key + [UInt8](repeating: 0, count: 64 - key.count)
        return hash(block.map { $0 ^ 0x5c } + hash(block.map { $0 ^ 0x36 } + Array(text.utf8)))
    }

    /// The signature that AWS computes of a request without a body.
    ///
    /// Source:
    /// <https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html>.
    private func signature(
        of request: RecordedRequest,
        fields: [String],
        scope: String
    ) throws -> String {
        let target = request.target.split(separator: "?", maxSplits: 1).map(String.init)
        let lines = fields.map { "\($0):\(request.header($0) ?? "")\n" }.joined()
        let empty = Self.hex(Self.hash([]))
        let canonical = [
            request.method, target[0], target.count > 1 ? target[1] : "", lines,
            fields.joined(separator: ";"), request.header("x-amz-content-sha256") ?? empty,
        ].joined(separator: "\n")
        let text = [
            "AWS4-HMAC-SHA256", try #require(request.header("X-Amz-Date")), scope,
            Self.hex(Self.hash(Array(canonical.utf8))),
        ].joined(separator: "\n")
        var key = Array("AWS4\(Self.secretKey)".utf8)
        for part in scope.split(separator: "/") { key = Self.hmac(key, String(part)) }
        return Self.hex(Self.hmac(key, text))
    }

    @Test("HMAC has the result of a test vector (RFC 4231, case 2)")
    func hmacIsCorrect() {
        let result = Self.hex(Self.hmac(Array("Jefe".utf8), "what do ya want for nothing?"))
        #expect(result == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }

    @Test(
        "Given --aws-sigv4, then requests have the signature that AWS computes",
        arguments: [nil, "t0ken"]
    )
    func requestsAreSigned(token: String?) async throws {
        let folder = try TemporaryDirectory()
        // Over a unix socket, so that the host has no port.
        var options = ServerOptions()
        options.address = .unix(path: folder.path("socket"))
        let server = try LoopbackServer(options: options) { request in
            request.path == "/away" ? .redirect(to: "http://other.test/") : .text("x")
        }
        var environment = [
            "AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": Self.secretKey,
        ]
        environment["AWS_SESSION_TOKEN"] = token
        let program = try CommandRun.executable()
        let (status, output) = try await NativeThread.run { [environment] in
            try ChildProcess.run(
                [
                    program, "--unix-socket", folder.path("socket"), "--aws-sigv4",
                    "aws:amz:eu-west-1:execute-api", "--header", "X-A: b", "--results", "-",
                    "--log-level", "trace", "http://s3.test/bucket/key?a=1", "http://s3.test/away",
                ],
                environment: environment
            )
        }
        #expect(status == 0, "\(output)")
        #expect(!output.contains(Self.secretKey) && !output.contains("t0ken"))
        let signed = server.requests.filter { $0.header("Host") == "s3.test" }
        #expect(signed.count == 2)
        for request in signed {
            let field = try #require(request.header("Authorization"))
            let match = try #require(
                field.firstMatch(
                    of:
                        /^AWS4-HMAC-SHA256 Credential=AKID\/([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/
                )
            )
            let fields = match.2.split(separator: ";").map(String.init)
            #expect(fields.contains("host") && fields.contains("x-amz-date"))
            #expect(fields.contains("x-amz-security-token") == (token != nil))
            #expect(request.header("X-Amz-Security-Token") == token)
            let scope = String(match.1)
            #expect(scope.hasSuffix("/eu-west-1/execute-api/aws4_request"))
            let expected = try signature(of: request, fields: fields, scope: scope)
            #expect(String(match.3) == expected, "\(request)")
        }
        let target = try #require(server.requests.first { $0.header("Host") == "other.test" })
        #expect(target.header("Authorization") == nil)
        #expect(target.header("X-Amz-Security-Token") == nil)
    }

    @Test(
        "Given the URL of a bucket, then S3's signature of the sorted query is sent",
        arguments: ["bucket.s3.eu-west-1.amazonaws.com", "my.bucket.s3.eu-west-1.amazonaws.com"]
    )
    func bucketsAreSigned(host: String) async throws {
        let folder = try TemporaryDirectory()
        var options = ServerOptions()
        options.address = .unix(path: folder.path("socket"))
        let server = try LoopbackServer(options: options) { _ in .text("x") }
        let program = try CommandRun.executable()
        let (status, output) = try await NativeThread.run {
            try ChildProcess.run(
                [
                    program, "--unix-socket", folder.path("socket"), "--aws-sigv4", "aws:amz",
                    "--results", "-", "http://\(host)/key?b=2&a=1&uploads",
                ],
                environment: [
                    "AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": Self.secretKey,
                ]
            )
        }
        #expect(status == 0, "\(output)")
        let request = try #require(server.requests.first)
        #expect(request.target == "/key?a=1&b=2&uploads=")
        #expect(request.header("x-amz-content-sha256") == Self.hex(Self.hash([])))
        let field = try #require(request.header("Authorization"))
        let match = try #require(
            field.firstMatch(
                of: /Credential=AKID\/([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/
            )
        )
        let fields = match.2.split(separator: ";").map(String.init)
        #expect(fields.contains("x-amz-content-sha256"))
        let scope = String(match.1)
        #expect(scope.hasSuffix("/eu-west-1/s3/aws4_request"))
        let expected = try signature(of: request, fields: fields, scope: scope)
        #expect(String(match.3) == expected)
    }

    @Test("Given a host that declares no region, then the error says to name region and service")
    func missingRegionIsNamed() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let program = try CommandRun.executable()
        let url = server.url
        let (status, output) = try await NativeThread.run {
            try ChildProcess.run(
                [program, "--aws-sigv4", "aws:amz", "--results", "-", url],
                environment: [
                    "AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": Self.secretKey,
                ]
            )
        }
        #expect(status == 1)
        #expect(output.contains("aws:amz:eu-west-1:s3"), "\(output)")
        #expect(server.requests.isEmpty)
    }

    @Test("Given a URL with its own user, then no part of a signature is sent")
    func ownCredentialsReplaceTheSignature() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let program = try CommandRun.executable()
        let url = server.url.replacing("http://", with: "http://own:own@") + "/"
        let (status, output) = try await NativeThread.run {
            try ChildProcess.run(
                [program, "--aws-sigv4", "aws:amz:eu-west-1:s3", url],
                environment: [
                    "AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": Self.secretKey,
                    "AWS_SESSION_TOKEN": "t0ken",
                ]
            )
        }
        #expect(status == 0, "\(output)")
        let request = try await server.request(0)
        #expect(request.headers("Authorization") == ["Basic b3duOm93bg=="])
        #expect(request.header("X-Amz-Security-Token") == nil)
        #expect(request.header("X-Amz-Date") == nil)
    }

    @Test("Given keys in --user, then they are used")
    func userHasTheKeys() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let ending = try await CommandRun.ending(
            "--aws-sigv4",
            "aws:amz:eu-west-1:s3",
            "--user",
            "KEY:\(Self.secretKey)",
            server.url + "/"
        )
        #expect(ending.status == 0, "\(ending)")
        let field = try await server.request(0).header("Authorization")
        #expect(field?.hasPrefix("AWS4-HMAC-SHA256 Credential=KEY/") == true)
    }

    @Test(
        "Given no keys or a malformed provider, then the command exits with 2",
        arguments: [
            ([], "--aws-sigv4 needs keys: set AWS_ACCESS_KEY_ID"),
            (["--user", "KEY:"], "authentication.secretKey is empty"),
            (["--user", "KEY:s3cret", "--aws-sigv4", "aws::x"], "authentication.provider isn't"),
            (["--bearer-file", "f"], "--aws-sigv4 and --bearer-file exclude each other"),
        ]
    )
    func mistakesAreReported(options: [String], message: String) async throws {
        for dry in [[], ["--dry-run"]] {
            let run = try CommandRun(
                ["--aws-sigv4", "aws:amz"] + options + dry + ["http://a.test/"]
            )
            try run.closeInput()
            let ending = try await run.ending()
            #expect(ending.status == 2, "\(ending)")
            #expect(ending.errors.contains(message), "\(ending.errors)")
        }
    }
}
