import Foundation
import Testing

@testable import BatchFetch

/// A result as a line of JSON, which other programs and later runs read.
@Suite struct BatchResultJSONTests {
    private func line(_ result: BatchResult, after bytes: [UInt8] = []) -> String {
        var bytes = bytes
        result.appendJSONLine(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let noTimings =
        #"{"queue":null,"dns":null,"connect":null,"tls":null,"ttfb":null,"total":null}"#

    @Test func everyKeyIsPresentWithoutAnAttempt() {
        var result = BatchResult(url: "no \"url\"", line: 2, ordinal: 3)
        result.failure = BatchFailure(.invalidURL, "no scheme")
        #expect(
            line(result) == """
                {"ordinal":3,"line":2,"tag":null,"url":"no \\"url\\"","final_url":null,\
                "status":null,"ok":false,"error":{"code":"invalid_url","message":"no scheme",\
                "curl":null,"errno":null},"attempts":0,"bytes":0,"decoded_bytes":0,\
                "sha256":null,"etag":null,"last_modified":null,"content_type":null,\
                "http_version":null,"peer":null,"reused":false,"started_at":null,\
                "t":\(Self.noTimings),"path":null}

                """
        )
    }

    @Test func fetchedResultHasAllItsValues() {
        var result = BatchResult(url: "http://h/", line: 1)
        result.tag = "t"
        result.finalURL = "http://h/end"
        result.status = 200
        result.attempts = 2
        result.bytes = 100
        result.transferredBytes = 40
        result.etag = "\"1\""
        result.lastModified = "then"
        result.contentType = "text/plain"
        result.httpVersion = "2"
        result.isConnectionReused = true
        result.peer = "127.0.0.1:80"
        result.startedAt = 0
        result.timings.queue = .microseconds(10)
        result.timings.nameLookup = .milliseconds(1)
        result.timings.connect = .milliseconds(2)
        result.timings.tls = .milliseconds(3)
        result.timings.firstByte = .milliseconds(4)
        result.timings.total = .seconds(5)
        result.path = "h/index"
        #expect(
            line(result) == """
                {"ordinal":1,"line":1,"tag":"t","url":"http://h/","final_url":"http://h/end",\
                "status":200,"ok":true,"error":null,"attempts":2,"bytes":40,\
                "decoded_bytes":100,"sha256":null,"etag":"\\"1\\"","last_modified":"then",\
                "content_type":"text/plain","http_version":"2","peer":"127.0.0.1:80",\
                "reused":true,"started_at":"1970-01-01T00:00:00.000000Z",\
                "t":{"queue":0.000010,"dns":0.001000,"connect":0.002000,"tls":0.003000,\
                "ttfb":0.004000,"total":5.000000},"path":"h/index"}

                """
        )
    }

    @Test func numbersOfTheSystemAreInTheError() {
        var result = BatchResult(url: "http://h/", line: 1)
        var failure = BatchFailure(BatchFailure.Code("connect_refused"), "m")
        failure.curlCode = 7
        failure.systemErrno = 111
        result.failure = failure
        let error = #""error":{"code":"connect_refused","message":"m","curl":7,"errno":111}"#
        #expect(line(result).contains(error))
    }

    @Test func checksumsAppearIfTheyWereComputed() {
        var result = BatchResult(url: "http://h/", line: 1)
        result.digests = [.md5: [0x0A], .sha1: [0xFF], .sha256: [0x01], .sha512: [0x02]]
        let all = #""sha256":"01","sha512":"02","sha1":"ff","md5":"0a","etag""#
        #expect(line(result).contains(all))
        result.digests = [.md5: [0x0A]]
        #expect(line(result).contains(#""sha256":null,"md5":"0a","etag""#))
    }

    @Test func placeOfTheBodyIsAtTheEnd() {
        var result = BatchResult(url: "http://h/", line: 1)
        result.path = "a"
        result.isExisting = true
        #expect(line(result).hasSuffix(#""path":"a","existing":true}"# + "\n"))
        result.isExisting = false
        result.isUnchanged = true
        #expect(line(result).hasSuffix(#""path":"a","unchanged":true}"# + "\n"))
        result = BatchResult(url: "http://h/", line: 1)
        result.shard = "shard-00000.tar"
        result.shardOffset = 0
        let shard = #""path":null,"shard":"shard-00000.tar","offset":0}"#
        #expect(line(result).hasSuffix(shard + "\n"))
        result = BatchResult(url: "http://h/", line: 1)
        result.body = []
        #expect(line(result).hasSuffix(#""path":null,"body_base64":""}"# + "\n"))
        result.body = Array("abc".utf8)
        #expect(line(result).hasSuffix(#""body_base64":"YWJj"}"# + "\n"))
    }

    @Test func lineIsAppendedToEarlierLines() throws {
        let first = BatchResult(url: "http://a/\n\u{2028}\u{1F}é😀", line: 1)
        let second = BatchResult(url: "http://b/", line: 2)
        let both = line(second, after: Array(line(first).utf8))
        #expect(both == line(first) + line(second))
        #expect(both.utf8.count { $0 == 0x0A } == 2, "a line end in a URL is escaped")
        for text in both.utf8.split(separator: 0x0A) {
            _ = try JSONSerialization.jsonObject(with: Data(text))
        }
    }
}
