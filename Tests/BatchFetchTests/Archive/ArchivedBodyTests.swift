import Foundation
import HTTPSemantics
import HTTPTypes
import TestSupport
import Testing

@testable import BatchFetch

/// Bodies that are stored in an archive, without a server.
@Suite(.timeLimit(.minutes(10))) struct ArchivedBodyTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func tar(_ limit: ArchiveLimit = .entries(100)) -> ArchiveSamples {
        ArchiveSamples(in: folder.path, TarArchive(folder: folder.path, limit: limit))
    }

    private func warc(_ limit: ArchiveLimit = .entries(100)) throws -> ArchiveSamples {
        let archive = try WARCArchive(folder: folder.path, limit: limit)
        var samples = ArchiveSamples(in: folder.path, archive)
        samples.isDigested = true
        return samples
    }

    /// The records of a WARC file as text.
    private func records(_ number: Int) throws -> [String] {
        let bytes = try folder.read("batch-0000\(number).warc.gz")
        guard var decoder = GzipDecoder() else { throw BatchFailure(.resources, "no memory") }
        var text: [UInt8] = []
        try decoder.decode(bytes) { piece in
            text += piece
            return true
        }
        return String(decoding: text, as: UTF8.self).split(separator: "WARC/1.1\r\n").map {
            String($0)
        }
    }

    private func field(_ name: String, _ record: String?) throws -> String {
        let line = try #require(
            record?.split(separator: "\r\n").first { $0.hasPrefix("\(name): ") }
        )
        return String(line.dropFirst(name.count + 2))
    }

    @Test func metadataHasTheFieldsOfTheResponse() throws {
        var samples = tar()
        samples.fields = [
            "ETag: \"v\\1\"", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT",
            "Content-Type: image/png",
        ]
        try samples.store([1, 2, 3], "https://h/x?q", ordinal: 17, tag: "a \"tag\"")
        try samples.store([4], "https://h/y", ordinal: 1_234_567_890)
        try samples.archive.close()
        let (status, names) = try ChildProcess.run(
            ["/bin/tar", "xvf", folder.path("shard-00000.tar"), "-C", folder.path]
        )
        #expect(status == 0)
        #expect(
            names.split(separator: "\n") == [
                "000000017.png", "000000017.json", "1234567890.png", "1234567890.json",
            ]
        )
        let line = try folder.read("000000017.json")
        #expect(line.last == 0x0A && !line.dropLast().contains(0x0A))
        let object = try JSONSerialization.jsonObject(with: Data(line))
        let fields = try #require(object as? [String: Any])
        #expect(fields["tag"] as? String == "a \"tag\"")
        #expect(fields["url"] as? String == "https://h/x?q")
        #expect(fields["final_url"] as? String == "https://h/x?q")
        #expect(fields["etag"] as? String == "\"v\\1\"")
        #expect(fields["last_modified"] as? String == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(fields["content_type"] as? String == "image/png")
        #expect(fields["date"] as? String == "2023-11-14T22:13:20.123456Z")
        #expect(fields["decoded_bytes"] as? Int == 3 && fields["status"] as? Int == 200)
    }

    @Test func bodyThatIsDroppedLeavesNothing() throws {
        let samples = tar()
        let body = try samples.body("https://h/a")
        try body.append([UInt8](repeating: 1, count: 300_000))
        #expect(try folder.contents().isEmpty)
        body.drop()
        #expect(try body.spool.bytes(at: 0, upTo: 1).isEmpty)
        try samples.archive.close()
        #expect(try folder.contents().isEmpty)
    }

    @Test func spoolIsRemovedWhenTheArchiveFails() throws {
        var samples = ArchiveSamples(
            in: folder.path,
            TarArchive(folder: folder.path("none"), limit: .entries(1))
        )
        samples.limit = 200_000
        let body = try samples.body("https://h/a")
        try body.append([UInt8](repeating: 1, count: 300_000))
        let failure = #expect(throws: BatchFailure.self) { _ = try body.commit() }
        #expect(failure?.code == .output && failure?.endsRun == true)
        #expect(try folder.contents().isEmpty)
    }

    @Test(arguments: [(10, 10, false), (11, 10, true), (3, 3, false), (30, 10, true)])
    func bodyBeyondItsLimitIsTruncated(count: Int, kept: Int, isCut: Bool) throws {
        var samples = try warc()
        samples.limit = 10
        let body = try samples.body("https://h/a")
        let bytes = [UInt8](count: count) { UInt8(ascii: "a") + UInt8($0 % 26) }
        for piece in stride(from: 0, to: count, by: 4) {
            try body.append(Array(bytes[piece..<min(piece + 4, count)]))
        }
        #expect(body.isCut == isCut && body.spool.count == kept)
        _ = try body.commit()
        try samples.archive.close()
        let response = try records(0).first { $0.hasPrefix("WARC-Type: response\r\n") }
        let content = String(decoding: bytes.prefix(kept), as: UTF8.self)
        #expect(response?.hasSuffix("\r\n\r\n\(content)\r\n\r\n") == true)
        #expect(response?.contains("\r\nWARC-Truncated: length\r\n") == isCut)
        let digest = Base32.text(MessageDigest.of(Array(content.utf8), .sha1))
        #expect(try field("WARC-Payload-Digest", response) == "sha1:\(digest)")
    }

    /// A reader needs the whole collection, as with the files of other archivers.
    @Test func repeatedPayloadRefersToTheRecordInAnEarlierFile() throws {
        let samples = try warc(.entries(1))
        for path in ["a", "b"] { try samples.store([1, 2, 3], "https://h/\(path)") }
        #expect(try folder.contents() == ["batch-00000.warc.gz", "batch-00001.warc.gz"])
        let original = try records(0)[1]
        let revisit = try records(1)[1]
        #expect(original.hasPrefix("WARC-Type: response\r\n"))
        #expect(revisit.hasPrefix("WARC-Type: revisit\r\n"))
        #expect(
            try field("WARC-Refers-To", revisit) == field("WARC-Record-ID", original)
        )
        #expect(try field("WARC-Refers-To-Target-URI", revisit) == "https://h/a")
        #expect(try field("WARC-Refers-To-Date", revisit) == field("WARC-Date", original))
        let digest = try field("WARC-Payload-Digest", original)
        #expect(try field("WARC-Payload-Digest", revisit) == digest)
    }

    @Test func emptyBodiesAreNotRevisits() throws {
        let samples = try warc()
        for path in ["a", "b"] { try samples.store([], "https://h/\(path)") }
        try samples.archive.close()
        let types = try records(0).map { $0.prefix { $0 != "\r\n" } }
        #expect(types.dropFirst().allSatisfy { !$0.hasSuffix("revisit") })
        #expect(types.count { $0 == "WARC-Type: response" } == 2)
    }

    @Test func requestNamesTheResponseThatItBelongsTo() throws {
        let samples = try warc()
        try samples.store([1], "https://h/a")
        try samples.archive.close()
        let all = try records(0)
        try #require(all.count == 3)
        #expect(try field("WARC-Filename", all[0]) == "batch-00000.warc.gz")
        #expect(all[2].hasPrefix("WARC-Type: request\r\n"))
        #expect(try field("WARC-Concurrent-To", all[2]) == field("WARC-Record-ID", all[1]))
        #expect(try field("WARC-Date", all[1]) == "2023-11-14T22:13:20.123456Z")
        #expect(try field("WARC-Date", all[2]) == field("WARC-Date", all[1]))
    }

    @Test func credentialsInTheURLAreNotArchived() throws {
        let samples = try warc()
        try samples.store([1], "https://user:sesame@h/a")
        try samples.archive.close()
        let text = try records(0).joined()
        #expect(!text.contains("sesame") && !text.contains("user"))
        #expect(text.contains("\r\nWARC-Target-URI: https://h/a\r\n"))
        #expect(text.contains("\r\nAuthorization: <redacted>\r\n"))
    }
}
