import TestSupport
import Testing

@testable import BatchFetch

/// Uploads whose answers are lost, or aren't what they should be.
@Suite(.timeLimit(.minutes(10))) struct S3UploadTests {
    private func client(_ server: LoopbackServer) throws -> S3Client {
        var storage = try ObjectStorage(address: "s3://pages")
        storage.credentials = .init(accessKey: "a", secretKey: "b")
        storage.region = "us-east-1"
        storage.endpoint = server.url
        return try S3Client("pages", AWSSettings(for: storage) { _ in nil })
    }

    /// An upload of the object `a` that replaces none.
    private func upload(
        _ bytes: [UInt8],
        times: Int = 1,
        with client: S3Client
    ) throws -> S3Upload {
        let folder = try TemporaryDirectory()
        let content = SpooledBody(folder: folder.path)
        for _ in 0..<times { try content.append(bytes) }
        return S3Upload(client: client, key: "a", content: content, replacesObject: false)
    }

    private static func error(_ status: Int, _ code: String) -> LoopbackReply {
        .text("<Error><Code>\(code)</Code></Error>", status: status)
    }

    @Test("An object whose upload wasn't answered over a used connection counts as stored")
    func unansweredUploadIsStored() async throws {
        let listing = "<ListBucketResult></ListBucketResult>"
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(listing.utf8.count)\r\n\r\n"
        let server = try LoopbackServer.scripted(
            first: [
                .readHead, .readBody, .send(head + listing), .readHead, .readBody, .close,
            ]
        ) { request in
            request.method == "PUT" ? Self.error(412, "PreconditionFailed") : .text("body")
        }
        let client = try client(server)
        _ = try await client.keys(prefix: "")
        try await upload(Array("body".utf8), with: client).run()
        #expect(server.requests.map(\.method) == ["GET", "PUT", "PUT", "HEAD"])
    }

    @Test("An upload in conflict with an earlier request for its object is repeated")
    func conflictingUploadIsRepeated() async throws {
        let count = Watched(0)
        let server = try LoopbackServer { _ in
            let isFirst = count.update { count in
                count += 1
                return count == 1
            }
            return isFirst
                ? Self.error(409, "ConditionalRequestConflict")
                : .status(200).header("ETag", "\"1\"")
        }
        try await upload(Array("body".utf8), with: client(server)).run()
        #expect(server.requests.map(\.method) == ["PUT", "PUT"])
    }

    @Test("An upload in parts is complete only when the server says so, not with its status")
    func statusDoesNotCompleteUpload() async throws {
        let ends = Watched(0)
        let server = try LoopbackServer { request in
            switch request.method {
            case "PUT": return .status(200).header("ETag", "\"1\"")
            case "POST" where request.target.contains("uploads"):
                return .text(
                    "<InitiateMultipartUploadResult><UploadId>1</UploadId>"
                        + "</InitiateMultipartUploadResult>"
                )
            case "POST":
                let isFirst = ends.update { ends in
                    ends += 1
                    return ends == 1
                }
                // White space keeps the connection, and the rest of the answer is lost.
                return .text(isFirst ? "\n\n" : "<Result><ETag>1</ETag></Result>")
            default: return .text("<ListMultipartUploadsResult/>")
            }
        }
        let piece = [UInt8](repeating: 1, count: 1 << 20)
        try await upload(piece, times: 17, with: client(server)).run()
        #expect(ends.read { $0 } == 2)
        #expect(server.requests.filter { $0.method == "PUT" }.count == 2)
    }

    @Test("An answer without an ETag, such as a proxy's page, isn't one to an upload")
    func pageIsNoAnswer() async throws {
        let server = try LoopbackServer { _ in .text("<html></html>") }
        let upload = try upload(Array("body".utf8), with: client(server))
        await #expect {
            try await upload.run()
        } throws: { error in
            if case S3Error.invalidAnswer = error { true } else { false }
        }
    }

    @Test("Keys of a listing have spaces, which S3 sends as plus signs")
    func keysHaveSpaces() async throws {
        let server = try LoopbackServer { _ in
            .text(
                "<ListBucketResult><EncodingType>url</EncodingType>"
                    + "<Contents><Key>my+pages/a%2Bb</Key></Contents>"
                    + "<Contents><Key>my%20pages/c</Key></Contents></ListBucketResult>"
            )
        }
        let keys = try await client(server).keys(prefix: "my pages/")
        #expect(keys == ["my pages/a+b", "my pages/c"])
    }

    /// A server that has refused an upload because of an object with this checksum and 4 bytes.
    private func refusing(_ checksum: String) throws -> LoopbackServer {
        let uploads = Watched(0)
        return try LoopbackServer { request in
            guard request.method == "PUT" else {
                return .text("body").header("x-amz-checksum-sha256", checksum)
            }
            let isFirst = uploads.update { uploads in
                uploads += 1
                return uploads == 1
            }
            return isFirst ? Self.error(503, "SlowDown") : Self.error(412, "PreconditionFailed")
        }
    }

    @Test("An object that exists counts as the repeated upload's only if its checksum is the same")
    func otherObjectIsNotTheUpload() async throws {
        let body = Array("body".utf8)
        let same = try refusing("Iw2DWNyOiJC0xY3utikS7i8gNXrpKlzIYbmOaP4xrLU=")
        try await upload(body, with: client(same)).run()
        #expect(same.requests.map(\.method) == ["PUT", "PUT", "HEAD"])
        #expect(same.requests.last?.header("x-amz-checksum-mode") == "ENABLED")
        let other = try refusing("AAAA")
        let refused = try upload(body, with: client(other))
        await #expect {
            try await refused.run()
        } throws: { error in
            (error as? S3Error)?.code == "PreconditionFailed"
        }
        #expect(other.requests.map(\.method) == ["PUT", "PUT", "HEAD"])
    }
}
