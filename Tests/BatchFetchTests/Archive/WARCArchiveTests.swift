import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import BatchFetch

/// Writes WARC files and reads them with gzip and, if installed, warcio.
@Suite(.timeLimit(.minutes(10))) struct WARCArchiveTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func fetch(
        _ requests: [BatchRequest],
        _ limit: ArchiveLimit = .bytes(1 << 30)
    ) async throws -> [BatchResult] {
        // One at a time, so that the order is known.
        let configuration = BatchConfiguration(
            concurrency: 1,
            retry: .never,
            output: .warc(in: folder.path, limit: limit)
        )
        let run = try Batch(configuration).start(.requests(requests))
        var results: [BatchResult] = []
        for await result in run { results.append(result) }
        #expect(run.outputFailure == nil)
        return results.sorted { $0.ordinal < $1.ordinal }
    }

    private func plain(_ name: String) throws -> String {
        let path = folder.path(name)
        let (status, _) = try ChildProcess.run(["/bin/gzip", "-dkf", path])
        #expect(status == 0)
        return String(decoding: try folder.read(String(name.dropLast(3))), as: UTF8.self)
    }

    private func records(_ text: String, _ type: String) -> [Substring] {
        text.split(separator: "WARC/1.1\r\n").filter { $0.hasPrefix("WARC-Type: \(type)\r\n") }
    }

    @Test func exchangesAreWrittenAsWARCRecords() async throws {
        let large = String(repeating: "long text ", count: 50_000)
        let server = try LoopbackServer { request in
            switch request.target {
            case "/a", "/same": .text("hello")
            case "/large": .text(large)
            case "/missing": .text("nothing", status: 404)
            case "/from": .redirect(to: "/large")
            default: .chunked([Array("in ".utf8), Array("pieces".utf8)])
            }
        }
        let paths = ["/a", "/same", "/large", "/missing", "/chunked"]
        var post = BatchRequest(url: server.url + "/post")
        post.method = .post
        post.headerFields[.authorization] = "Basic secret"
        post.body = .bytes(Array("content".utf8))
        let results = try await fetch(paths.map { BatchRequest(url: server.url + $0) } + [post])
        #expect(results.map(\.isFetched) == [true, true, true, false, true, true])
        #expect(results.allSatisfy { $0.shard == "batch-00000.warc.gz" })
        let text = try plain("batch-00000.warc.gz")
        #expect(records(text, "warcinfo").count == 1)
        #expect(records(text, "request").count == 6)
        let info = try #require(records(text, "warcinfo").first)
        let id = try #require(info.firstMatch(of: /WARC-Record-ID: (\S+)/)).1
        for record in ["request", "response", "revisit"].flatMap({ records(text, $0) }) {
            #expect(record.contains("WARC-Warcinfo-ID: \(id)\r\n"), "\(record.prefix(500))")
            #expect(record.contains("WARC-IP-Address: 127.0.0.1\r\n"))
        }
        let responses = records(text, "response")
        // The response to the POST equals the chunked one, and the two greetings are equal.
        #expect(responses.count == 4 && records(text, "revisit").count == 2)
        #expect(responses[0].contains("WARC-Target-URI: \(server.url)/a\r\n"))
        #expect(responses[0].hasSuffix("\r\n\r\nhello\r\n\r\n"))
        #expect(
            responses[0].contains("WARC-Payload-Digest: sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N\r\n")
        )
        #expect(responses[1].hasSuffix("\(large)\r\n\r\n"))
        #expect(responses[2].contains("HTTP/1.1 404"))
        #expect(responses[3].contains("\r\nX-Archive-Orig-Transfer-Encoding: chunked\r\n"))
        #expect(responses[3].hasSuffix("\r\n\r\nin pieces\r\n\r\n"))
        let revisit = records(text, "revisit")[0]
        #expect(revisit.contains("WARC-Refers-To-Target-URI: \(server.url)/a\r\n"))
        #expect(!revisit.contains("hello"))
        let last = try #require(records(text, "request").last)
        #expect(last.contains("POST /post HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"))
        #expect(last.hasSuffix("\r\n\r\ncontent\r\n\r\n") && !text.contains("Basic secret"))
        // Each record is readable from its offset on.
        let bytes = try folder.read("batch-00000.warc.gz")
        for result in results {
            let offset = Int(try #require(result.shardOffset))
            #expect(Array(bytes[offset..<(offset + 3)]) == [0x1F, 0x8B, 8])
        }
        try check("batch-00000.warc.gz")
    }

    @Test("Compressed bodies are archived as sent, and those with a checksum are requested plain")
    func compressedBodiesAreArchivedAsSent() async throws {
        let packed = StoredGzip.member("hello")
        let server = try LoopbackServer { request in
            request.header("accept-encoding")?.contains("gzip") == true
                ? .bytes(packed).header("Content-Encoding", "gzip") : .text("hello")
        }
        var verified = BatchRequest(url: server.url + "/plain")
        verified.digests = [
            try #require(ExpectedDigest(.md5, hexadecimal: "5d41402abc4b2a76b9719d911017c592"))
        ]
        let results = try await fetch([BatchRequest(url: server.url + "/packed"), verified])
        #expect(results.map(\.isFetched) == [true, true], "\(results)")
        #expect(results.map(\.contentEncoding) == ["gzip", nil])
        #expect(results.map(\.bytes) == [Int64(packed.count), 5])
        let accepted = server.requests.map { $0.headers("accept-encoding") }
        #expect(accepted == [["gzip, deflate"], ["identity"]])
        let text = try plain("batch-00000.warc.gz")
        #expect(records(text, "request")[0].contains("Accept-Encoding: gzip, deflate\r\n"))
        #expect(records(text, "response")[0].contains("Content-Encoding: gzip\r\n"))
        #expect(records(text, "response")[0].contains("Content-Length: \(packed.count)\r\n"))
        try check("batch-00000.warc.gz")
    }

    @Test(
        "The address of a peer has neither a port nor brackets",
        arguments: [
            ("127.0.0.1:80", "127.0.0.1"), ("[::1]:443", "::1"), (nil, nil), ("", nil),
            (":80", nil),
        ] as [(String?, String?)]
    )
    func addressOfAPeerIsBare(peer: String?, address: String?) {
        #expect(WARCExchange.address(ofPeer: peer) == address)
    }

    @Test func credentialsAreRedactedInWARCRecords() async throws {
        let server = try LoopbackServer {
            .text("hello of \($0.target)")
                .header("Set-Cookie", "session=of\($0.target.dropFirst())")
        }
        var requests = ["/plain", "/a", "/b", "/c"].map { BatchRequest(url: server.url + $0) }
        let names = ["Idempotency-Key", "X-API-Key", "Proxy-Authorization", "X-Auth-Token"]
        for (index, name) in names.enumerated() {
            requests[index].headerFields[try #require(HTTPField.Name(name))] = "value\(index)"
        }
        _ = try await fetch(requests)
        let text = try plain("batch-00000.warc.gz")
        #expect(text.contains("Idempotency-Key: value0\r\n"))
        #expect(text.contains("Set-Cookie: session=ofplain\r\n"))
        for (index, path) in ["a", "b", "c"].enumerated() {
            #expect(!text.contains("value\(index + 1)") && !text.contains("session=of\(path)"))
            #expect(text.contains("\(names[index + 1]): <redacted>\r\n"))
        }
        #expect(text.split(separator: "Set-Cookie: <redacted>\r\n").count == 4)
        try check("batch-00000.warc.gz")
    }

    @Test func redirectsAreArchived() async throws {
        let long = String(repeating: "moved ", count: 50_000)
        let server = try LoopbackServer { request in
            switch request.target {
            case "/first": .text("over there", status: 302).header("Location", "/second")
            case "/second": .text(long, status: 301).header("Location", "/last")
            case "/loop": .redirect(to: "/loop")
            default: .text("here")
            }
        }
        let results = try await fetch(
            ["/first", "/loop"].map { BatchRequest(url: server.url + $0) }
        )
        #expect(results.map(\.isFetched) == [true, false])
        #expect(results[0].finalURL == server.url + "/last")
        let text = try plain("batch-00000.warc.gz")
        let responses = records(text, "response")
        let paths = responses.prefix(3).compactMap { record in
            record.firstRange(of: "WARC-Target-URI: \(server.url)").map {
                record[$0.upperBound...].prefix { $0 != "\r\n" }
            }
        }
        #expect(paths == ["/first", "/second", "/last"])
        #expect(responses[0].contains("\r\nHTTP/1.1 302 "))
        #expect(responses[0].hasSuffix("\r\n\r\nover there\r\n\r\n"))
        // The rest of the body isn't awaited.
        #expect(responses[1].contains("WARC-Truncated: length\r\n"))
        #expect(responses[1].hasSuffix("\r\n\r\n\(long.prefix(64 * 1024))\r\n\r\n"))
        #expect(responses.count(where: { $0.contains("WARC-Truncated") }) == 1)
        // All that were requested, up to the one redirect too many.
        #expect(responses.count == 3 + 21 && records(text, "request").count == 3 + 21)
        let place = Int(try #require(results[0].shardOffset))
        #expect(try folder.read("batch-00000.warc.gz")[place] == 0x1F)
        try check("batch-00000.warc.gz")
    }

    @Test func fullWARCFileIsClosed() async throws {
        let server = try LoopbackServer { .text("body of \($0.target)") }
        let results = try await fetch(
            (0..<5).map { BatchRequest(url: "\(server.url)/\($0)") },
            .entries(2)
        )
        let names = (0..<3).map { "batch-0000\($0).warc.gz" }
        #expect(try folder.contents() == names)
        #expect(results.compactMap(\.shard) == [0, 0, 1, 1, 2].map { names[$0] })
        for name in names {
            #expect(records(try plain(name), "warcinfo").count == 1)
            try check(name)
        }
    }

    @Test func fileOfAKilledRunIsClosedByTheNextRun() async throws {
        let server = try LoopbackServer { .text("body of \($0.target)") }
        let requests = (0..<3).map { BatchRequest(url: "\(server.url)/\($0)") }
        let results = try await fetch(requests)
        let whole = try folder.read("batch-00000.warc.gz")
        try folder.write(Array(whole.dropLast(20)), to: "batch-00001.warc.gz.part")
        // Damaged in the middle of the second response.
        var damaged = whole
        let second = Int(try #require(results[1].shardOffset))
        for place in (second + 30)..<(second + 60) { damaged[place] = 0xAA }
        try folder.write(damaged, to: "batch-00002.warc.gz.part")
        _ = try await fetch([])
        #expect(try folder.contents() == (0..<3).map { "batch-0000\($0).warc.gz" })
        for (name, responses) in [("batch-00001.warc.gz", 3), ("batch-00002.warc.gz", 1)] {
            #expect(records(try plain(name), "response").count == responses)
            try check(name)
        }
    }

    @Test func payloadIndexKeepsOnlyTheLatestPayloads() {
        var index = PayloadIndex(limit: 2)
        let origin = PayloadIndex.Origin(id: "i", url: "u", date: "d")
        for byte in UInt8(0)..<3 { index.add(origin, for: [byte]) }
        #expect(index[[0]] == nil && index[[1]] == origin && index[[2]] == origin)
    }

    @Test(
        arguments: [
            ([], ""), ([0, 0, 0, 0, 0], "AAAAAAAA"), (Array("hello".utf8), "NBSWY3DP"),
        ] as [([UInt8], String)]
    )
    func base32MatchesRFC4648(bytes: [UInt8], text: String) {
        #expect(Base32.text(bytes) == text)
    }

    /// Checks the file with warcio, if it is installed: see `.ci/run`.
    private func check(_ name: String) throws {
        let probe = try ChildProcess.run(["/usr/bin/env", "python3", "-c", "import warcio"])
        guard probe.status == 0 else { return }
        let (status, output) = try ChildProcess.run([
            "/usr/bin/env", "python3", "-m", "warcio.cli", "check", "-v", folder.path(name),
        ])
        #expect(status == 0, "\(output)")
        #expect(output.contains("digest pass") && !output.contains("digest failed"), "\(output)")
    }
}
