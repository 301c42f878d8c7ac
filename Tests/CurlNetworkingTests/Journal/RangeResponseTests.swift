internal import CurlTransport
internal import Foundation
internal import HTTPSemantics
internal import HTTPTypes
internal import TestSupport
internal import Testing

@testable internal import BatchFetch
@testable internal import CurlNetworking
@testable internal import CurlURLSession

/// What sessions, journals and batches do with the same response to a request for missing bytes.
///
/// All three resume with `RangeRequest`. This table fails if one of them decides differently.
@Suite struct RangeResponseTests {
    /// What a response is used for.
    enum Use: String, Sendable {
        /// The bytes are appended to the existing ones.
        case appended
        /// The response has the whole content, which replaces the existing bytes.
        case replacement
        /// The response is unusable: the whole content is requested.
        case unusable
        /// No byte is missing.
        case completion
        /// The response is an error.
        case failure
    }

    /// A response to a request for all bytes from 5 on, of content with the tag `"a"`.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let status: Int
        let fields: [String]
        let use: Use
        /// The length of the whole content, if it is known.
        var total: Int64? = 10
        /// Where sessions differ.
        var sessionUse: Use?

        init(_ name: String, _ status: Int, _ fields: [String], _ use: Use) {
            testDescription = name
            self.status = status
            self.fields = fields
            self.use = use
        }

        /// The same response where the length of the whole content is unknown.
        func withoutTotal(sessionUse: Use? = nil) -> Row {
            var row = self
            (row.total, row.sessionUse) = (nil, sessionUse)
            return row
        }
    }

    private static let tag = "ETag: \"a\""

    private static let rows: [Row] = [
        Row("the rest", 206, ["Content-Range: bytes 5-9/10", tag], .appended),
        Row("the rest of an unknown total", 206, ["Content-Range: bytes 5-9/*", tag], .appended),
        Row("another total", 206, ["Content-Range: bytes 5-9/11", tag], .unusable),
        Row("a smaller total", 206, ["Content-Range: bytes 5-8/9", tag], .unusable),
        Row("another range", 206, ["Content-Range: bytes 4-9/10", tag], .unusable),
        Row("no range", 206, [tag], .unusable),
        Row("another tag", 206, ["Content-Range: bytes 5-9/10", "ETag: \"b\""], .unusable),
        Row("a weak tag", 206, ["Content-Range: bytes 5-9/10", "ETag: W/\"a\""], .unusable),
        Row("no tag", 206, ["Content-Range: bytes 5-9/10"], .unusable),
        Row(
            "encoded",
            206,
            ["Content-Range: bytes 5-9/10", tag, "Content-Encoding: gzip"],
            .unusable
        ),
        Row("416 at the known end", 416, ["Content-Range: bytes */10"], .unusable),
        Row("416 at the range's start", 416, ["Content-Range: bytes */5"], .unusable),
        Row("416 before the range", 416, ["Content-Range: bytes */4"], .unusable),
        Row("416 without a length", 416, [], .unusable),
        Row("the whole content", 200, [tag, "Content-Length: 10"], .replacement),
        Row("other content", 200, ["ETag: \"b\"", "Content-Length: 12"], .replacement),
        Row("gone", 404, [], .failure),
        Row("an overloaded server", 503, [], .failure),
    ]

    /// Without the length of the whole content, which batches always know.
    private static let rowsWithoutTotal: [Row] = [
        Row("the rest", 206, ["Content-Range: bytes 5-9/10", tag], .appended).withoutTotal(),
        Row("another tag", 206, ["Content-Range: bytes 5-9/10", "ETag: \"b\""], .unusable)
            .withoutTotal(),
        // A session's task needs a response to its content, which a 416 isn't.
        Row("416 at the range's start", 416, ["Content-Range: bytes */5"], .completion)
            .withoutTotal(sessionUse: .unusable),
        Row(
            "416 at the range's start, another tag",
            416,
            ["Content-Range: bytes */5", "ETag: \"b\""],
            .unusable
        ).withoutTotal(),
        Row("416 elsewhere", 416, ["Content-Range: bytes */9"], .unusable).withoutTotal(),
        Row("the whole content", 200, [tag], .replacement).withoutTotal(),
    ]

    @Test(
        "Sessions, journals and batches use a response to a range request alike",
        arguments: rows
    )
    func allUseResponseAlike(_ row: Row) throws {
        let head = try head(of: row)
        #expect(try sessionUse(of: head, row) == row.use)
        #expect(try journalUse(of: head, row) == row.use)
        #expect(batchUse(of: head) == row.use)
    }

    @Test(
        "Without a known length, sessions and journals use a response alike, except at the end",
        arguments: rowsWithoutTotal
    )
    func sessionsAndJournalsUseResponseAlike(_ row: Row) throws {
        let head = try head(of: row)
        #expect(try sessionUse(of: head, row) == row.sessionUse ?? row.use)
        #expect(try journalUse(of: head, row) == row.use)
    }

    @Test("All three send the same fields for the same missing bytes")
    func allSendSameFields() throws {
        let session = try resumeData(total: 10).request
        var batch = HTTPFields()
        batchPart.addFields(to: &batch)
        for (name, value) in rest(total: 10).fields {
            #expect(session.value(forHTTPHeaderField: name) == value)
            let field = try #require(HTTPField.Name(name))
            #expect(batch[field] == value)
        }
    }

    // MARK: The three users

    private func sessionUse(of head: ResponseHead, _ row: Row) throws -> Use {
        switch try resumeData(total: row.total).answer(to: .head(head)) {
        case .resumes: .appended
        case .restarts: head.statusCode < 300 ? .replacement : .failure
        case .requestsWholeContent: .unusable
        }
    }

    private func journalUse(of head: ResponseHead, _ row: Row) throws -> Use {
        let response = HTTPURLResponse(url: try url(), head: head)
        let facts = CurlNetworking.ResponseFacts(response)
        return switch DownloadDecision(facts, askedFor: rest(total: row.total)) {
        case .resume: .appended
        case .restart: .replacement
        case .requestWholeContent: .unusable
        case .isComplete: .completion
        case .fail: .failure
        }
    }

    private func batchUse(of head: ResponseHead) -> Use {
        guard !batchPart.isRefused(by: head) else { return .unusable }
        return switch head.statusCode {
        case 206: .appended
        case 200..<300: .replacement
        default: .failure
        }
    }

    // MARK: What they request

    private func url() throws -> URL { try #require(URL(string: "https://origin.test/file")) }

    private func rest(total: Int64?) -> RangeRequest {
        RangeRequest(from: 5, length: total, validator: .entityTag("\"a\""))
    }

    private var batchPart: RequestedPart {
        RequestedPart(range: 5..<10, length: 10, present: 5, validator: .entityTag("\"a\""))
    }

    private func resumeData(total: Int64?) throws -> ResumeData {
        let url = try url()
        let response = try #require(
            HTTPURLResponse(
                url: url,
                statusCode: 200,
                httpVersion: "HTTP/1.1",
                headerFields: ["ETag": "\"a\""]
            )
        )
        return try #require(
            ResumeData(
                request: URLRequest(url: url),
                response: response,
                file: URL(fileURLWithPath: "/nowhere"),
                offset: 5,
                total: total
            )
        )
    }

    private func head(of row: Row) throws -> ResponseHead {
        var parser = ResponseHeadParser()
        for line in ["HTTP/1.1 \(row.status) Text"] + row.fields + [""] {
            let bytes = Array("\(line)\r\n".utf8)
            if case .head(let head) = try parser.receive(bytes.span) { return head }
        }
        throw SupportError("no head")
    }
}
