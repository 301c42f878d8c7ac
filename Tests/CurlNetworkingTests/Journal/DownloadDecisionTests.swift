internal import Foundation
internal import HTTPSemantics
internal import Posix
internal import Testing

@testable internal import CurlNetworking

@Suite struct DownloadDecisionTests {
    private let rest = RangeRequest(from: 5, length: 10, validator: .entityTag("\"a\""))

    private func part(_ range: String?, tag: String? = "\"a\"", coding: String? = nil)
        -> ResponseFacts
    {
        ResponseFacts(status: 206, entityTag: tag, contentRange: range, contentCoding: coding)
    }

    private func decision(
        _ response: ResponseFacts,
        _ rest: RangeRequest?
    ) -> DownloadDecision {
        DownloadDecision(response, askedFor: rest)
    }

    @Test("S-02: A partial response with the requested range and validator is appended")
    func matchingPartIsAppended() {
        #expect(decision(part("bytes 5-9/10"), rest) == .resume(end: 10, total: 10))
        #expect(decision(part("bytes 5-9/*"), rest) == .resume(end: 10, total: 10))
        // Without the entity tag it may be a part of another content (RFC 9110, 15.3.7.3).
        #expect(decision(part("bytes 5-9/10", tag: nil), rest) == .requestWholeContent)
        let open = RangeRequest(from: 5, length: nil, validator: .entityTag("\"a\""))
        #expect(decision(part("bytes 5-9/10"), open) == .resume(end: 10, total: 10))
        #expect(decision(part("bytes 5-9/*"), open) == .resume(end: 10, total: nil))
        #expect(decision(part("bytes 5-7/10"), open) == .resume(end: 8, total: 10))
    }

    @Test(
        "S-02: A partial response with another range isn't appended",
        arguments: [
            "bytes 5-9/11", "bytes 4-9/10", "bytes 6-9/10", "bytes */10", "5-9/10", "bytes 5-9", "",
            "bytes 5-10/*", "bytes 5-4/10", "bytes 5-10/10", "bytes 5-9/99999999999999999999",
            "bytes 5-9223372036854775807/0", "bytes 5-9/10, bytes 5-9/10",
        ]
    )
    func partWithAnotherRangeIsNotAppended(range: String) {
        #expect(decision(part(range), rest) == .requestWholeContent)
    }

    @Test("S-02: A partial response of the wrong length isn't appended")
    func partWithWrongLengthIsNotAppended() {
        for (range, length) in [
            ("bytes 5-9/10", 6), ("bytes 5-9/10", 4), ("bytes 5-10/10", 6), ("bytes 5-4/10", 0),
            ("bytes 5-99999999999999999999/*", 5), ("bytes 5-9223372036854775807/*", 5),
        ] as [(String, Int64)] {
            var response = part(range)
            response.length = length
            #expect(decision(response, rest) == .requestWholeContent, "\(range) with \(length)")
        }
        var response = part("bytes 5-7/10")
        response.length = 3
        // A shorter range than requested is accepted.
        #expect(decision(response, rest) == .resume(end: 8, total: 10))
    }

    @Test("S-02: A partial response of another version, or encoded, isn't appended")
    func partOfAnotherVersionIsNotAppended() {
        #expect(decision(part("bytes 5-9/10", tag: "\"b\""), rest) == .requestWholeContent)
        #expect(decision(part("bytes 5-9/10", tag: "W/\"a\""), rest) == .requestWholeContent)
        #expect(decision(part("bytes 5-9/10", coding: "gzip"), rest) == .requestWholeContent)
        #expect(decision(part(nil), rest) == .requestWholeContent)
        var dated = part("bytes 5-9/10")
        dated.lastModified = "Sun, 06 Nov 1994 08:49:37 GMT"
        let date = RangeRequest(from: 5, length: 10, validator: .lastModified("Mon, 07 Nov 1994"))
        #expect(decision(dated, date) == .requestWholeContent)
    }

    @Test("S-02: A partial response without a range request is a failure")
    func unrequestedPartIsAFailure() {
        guard case .fail = decision(part("bytes 0-9/10"), nil) else {
            Issue.record("took a part for all")
            return
        }
    }

    @Test("S-02: A 416 response with the same size means that the download is complete")
    func status416WithSameSizeCompletesTheDownload() {
        func answer(_ range: String?, tag: String? = nil, total: Int64? = nil) -> DownloadDecision {
            let response = ResponseFacts(status: 416, entityTag: tag, contentRange: range)
            let rest = RangeRequest(from: 5, length: total, validator: .entityTag("\"a\""))
            return decision(response, rest)
        }
        #expect(answer("bytes */5") == .isComplete)
        #expect(answer("bytes */5", tag: "\"a\"", total: 5) == .isComplete)
        #expect(answer("bytes */5", total: 10) == .requestWholeContent)
        #expect(answer("bytes */4") == .requestWholeContent)
        #expect(answer("bytes */5", tag: "\"b\"") == .requestWholeContent)
        #expect(answer(nil) == .requestWholeContent)
        #expect(answer("bytes 0-4/5") == .requestWholeContent)
        #expect(answer("bytes */99999999999999999999") == .requestWholeContent)
        guard case .fail = decision(ResponseFacts(status: 416), nil) else {
            Issue.record("asks for all again and again")
            return
        }
    }

    @Test("S-02: Any other success restarts the download")
    func anyOtherSuccessRestartsTheDownload() {
        for status in [200, 201, 203, 204] {
            #expect(decision(ResponseFacts(status: status), rest) == .restart)
            #expect(decision(ResponseFacts(status: status), nil) == .restart)
        }
    }

    @Test("S-02: Transient failures are distinguished from permanent ones")
    func transientFailuresAreDistinguished() {
        for status in [408, 425, 429, 500, 502, 503, 504, 507] {
            #expect(ResponseFacts(status: status).failure.isTransient, "\(status)")
        }
        for status in [304, 400, 401, 403, 404, 410, 412, 501, 505] {
            #expect(!ResponseFacts(status: status).failure.isTransient, "\(status)")
        }
    }

    @Test("S-02: The usable bytes of a partial file depend on the last boot and on the validator")
    func usableBytesDependOnBootAndValidator() throws {
        let url = try #require(URL(string: "http://h/"))
        var job = TransferJob(
            id: "a",
            kind: .download,
            request: StorableRequest(
                url: url,
                method: "GET",
                fields: [:],
                omitted: [],
                timeout: 60
            ),
            file: url,
            partFile: nil,
            options: []
        )
        (job.bytes, job.expectedBytes, job.validator) = (40, 100, "\"a\"")
        // After a system crash only synchronized bytes count.
        job.boot = "another"
        #expect(job.usableBytes(of: 60) == 40)
        #expect(job.usableBytes(of: 20) == 20)
        job.boot = ""
        #expect(job.usableBytes(of: 60) == 40)
        // After the process has ended, the written bytes count.
        job.boot = SystemBoot.identifier
        #expect(job.usableBytes(of: 60) == 60)
        #expect(job.usableBytes(of: 100) == 100)
        #expect(job.usableBytes(of: 101) == 0)
        job.validator = nil
        #expect(job.usableBytes(of: 60) == 0)
        #expect(job.usableBytes(of: 100) == 100)
    }
}
