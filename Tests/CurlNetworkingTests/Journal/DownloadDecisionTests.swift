internal import Foundation
internal import Testing

@testable internal import CurlNetworking

@Suite struct DownloadDecisionTests {
    private let rest = DownloadDecision.Rest(offset: 5, validator: "\"a\"", total: 10)

    private func part(_ range: String?, tag: String? = "\"a\"", isCoded: Bool = false)
        -> ResponseFacts
    {
        ResponseFacts(status: 206, entityTag: tag, contentRange: range, isCoded: isCoded)
    }

    private func decision(
        _ response: ResponseFacts,
        _ rest: DownloadDecision.Rest?
    ) -> DownloadDecision {
        DownloadDecision(response, askedFor: rest)
    }

    @Test("S-02: the rest of the same content is added")
    func theRestIsAdded() {
        #expect(decision(part("bytes 5-9/10"), rest) == .goOn(total: 10))
        #expect(decision(part("bytes 5-9/*"), rest) == .goOn(total: 10))
        #expect(decision(part("bytes 5-9/10", tag: nil), rest) == .goOn(total: 10))
        let open = DownloadDecision.Rest(offset: 5, validator: "\"a\"", total: nil)
        #expect(decision(part("bytes 5-9/10"), open) == .goOn(total: 10))
    }

    @Test(
        "S-02: a part of something else isn't added",
        arguments: [
            "bytes 5-9/11", "bytes 4-9/10", "bytes 6-9/10", "bytes */10", "5-9/10", "bytes 5-9", "",
        ]
    )
    func anotherPartIsNotAdded(range: String) {
        #expect(decision(part(range), rest) == .askForAll)
    }

    @Test("S-02: a part of another length than it says, or beyond the end, isn't added")
    func aPartOfAnotherLengthIsNotAdded() {
        for (range, length) in [
            ("bytes 5-9/10", 6), ("bytes 5-9/10", 4), ("bytes 5-10/10", 6), ("bytes 5-4/10", 0),
            ("bytes 5-99999999999999999999/*", 5), ("bytes 5-9223372036854775807/*", 5),
        ] as [(String, Int64)] {
            var response = part(range)
            response.length = length
            #expect(decision(response, rest) == .askForAll, "\(range) with \(length)")
        }
        var response = part("bytes 5-7/10")
        response.length = 3
        // Less than was asked for is a beginning.
        #expect(decision(response, rest) == .goOn(total: 10))
    }

    @Test("S-02: a part of another version, or of coded content, isn't added")
    func anotherVersionIsNotAdded() {
        #expect(decision(part("bytes 5-9/10", tag: "\"b\""), rest) == .askForAll)
        #expect(decision(part("bytes 5-9/10", tag: "W/\"a\""), rest) == .askForAll)
        #expect(decision(part("bytes 5-9/10", isCoded: true), rest) == .askForAll)
        #expect(decision(part(nil), rest) == .askForAll)
        var dated = part("bytes 5-9/10")
        dated.lastModified = "Sun, 06 Nov 1994 08:49:37 GMT"
        let date = DownloadDecision.Rest(offset: 5, validator: "Mon, 07 Nov 1994", total: 10)
        #expect(decision(dated, date) == .askForAll)
    }

    @Test("S-02: a part that wasn't asked for is a failure")
    func anUnaskedPartIsAFailure() {
        guard case .fail = decision(part("bytes 0-9/10"), nil) else {
            Issue.record("took a part for all")
            return
        }
    }

    @Test("S-02: a range behind the end means that all is there, if the size is the same")
    func aRangeBehindTheEndIsTheEnd() {
        func answer(_ range: String?, tag: String? = nil, total: Int64? = nil) -> DownloadDecision {
            let response = ResponseFacts(status: 416, entityTag: tag, contentRange: range)
            let rest = DownloadDecision.Rest(offset: 5, validator: "\"a\"", total: total)
            return decision(response, rest)
        }
        #expect(answer("bytes */5") == .isComplete)
        #expect(answer("bytes */5", tag: "\"a\"", total: 5) == .isComplete)
        #expect(answer("bytes */5", total: 10) == .askForAll)
        #expect(answer("bytes */4") == .askForAll)
        #expect(answer("bytes */5", tag: "\"b\"") == .askForAll)
        #expect(answer(nil) == .askForAll)
        guard case .fail = decision(ResponseFacts(status: 416), nil) else {
            Issue.record("asks for all again and again")
            return
        }
    }

    @Test("S-02: any other success is all of it")
    func anyOtherSuccessIsAllOfIt() {
        for status in [200, 201, 203, 204] {
            #expect(decision(ResponseFacts(status: status), rest) == .beginAnew)
            #expect(decision(ResponseFacts(status: status), nil) == .beginAnew)
        }
    }

    @Test("S-02: failures that pass are told from those that don't")
    func failuresThatPassAreToldApart() {
        for status in [408, 425, 429, 500, 502, 503, 504, 507] {
            #expect(ResponseFacts(status: status).failure.isTransient, "\(status)")
        }
        for status in [304, 400, 401, 403, 404, 410, 412, 501, 505] {
            #expect(!ResponseFacts(status: status).failure.isTransient, "\(status)")
        }
    }

    @Test("S-02: bytes count that are known to be there, and known again")
    func bytesCountThatAreKnown() throws {
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
        // After a crash of the system, what was made durable.
        job.boot = "another"
        #expect(job.usableBytes(of: 60) == 40)
        #expect(job.usableBytes(of: 20) == 20)
        job.boot = ""
        #expect(job.usableBytes(of: 60) == 40)
        // After the end of the program, what was written.
        job.boot = KernelStart.identifier
        #expect(KernelStart.identifier.count == 36)
        #expect(job.usableBytes(of: 60) == 60)
        #expect(job.usableBytes(of: 100) == 100)
        #expect(job.usableBytes(of: 101) == 0)
        job.validator = nil
        #expect(job.usableBytes(of: 60) == 0)
        #expect(job.usableBytes(of: 100) == 100)
    }
}
