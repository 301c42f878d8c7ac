import HTTPSemantics
import Testing

/// Requests for missing bytes, and what their responses have.
@Suite struct RangeRequestTests {
    private static let tag = StrongValidator.entityTag("\"a\"")

    /// Bytes 5 to 9 of 10 are missing.
    private let rest = RangeRequest(from: 5, length: 10, validator: tag)

    /// Returns what a response with these fields has; an empty value leaves a field out.
    private func answer(
        _ request: RangeRequest,
        status: Int = 206,
        range: String = "bytes 5-9/10",
        tag: String = "\"a\"",
        coding: String = "",
        modified: String = "",
        bodyLength: Int64? = nil
    ) -> RangeRequest.Answer {
        let fields = [
            "Content-Range": range, "ETag": tag, "Content-Encoding": coding,
            "Last-Modified": modified,
        ]
        return request.answer(status: status, bodyLength: bodyLength) { name in
            fields[name].flatMap { $0.isEmpty ? nil : [$0] } ?? []
        }
    }

    private func part(_ text: String) throws -> RangeRequest.Answer {
        .part(try #require(ContentRange(text)))
    }

    // MARK: The request

    @Test func restIsRequestedUpToTheEndOfTheContent() {
        #expect(
            rest.fields.map { "\($0.name): \($0.value)" } == [
                "Range: bytes=5-", "If-Range: \"a\"", "Accept-Encoding: identity",
            ]
        )
    }

    @Test func rangeWithAnEndIsRequestedUpToItsLastByte() {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let request = RangeRequest(from: 0, upTo: 5, length: 10, validator: .lastModified(date))
        #expect(request.fields.map(\.value) == ["bytes=0-4", date, "identity"])
    }

    // MARK: A part

    @Test(arguments: ["bytes 5-9/10", "bytes 5-9/*", "bytes 5-7/10"])
    func partThatBeginsWhereBytesAreMissingIsUsable(range: String) throws {
        #expect(answer(rest, range: range) == (try part(range)))
    }

    @Test(arguments: [
        "", "bytes 4-9/10", "bytes 6-9/10", "bytes 5-9/11", "bytes 5-10/*", "bytes 5-4/10",
        "bytes */10", "bytes 5-9/10, bytes 5-9/10", "bytes 5-9223372036854775807/0",
    ])
    func anotherRangeIsUnusable(range: String) {
        #expect(answer(rest, range: range) == .unusablePart)
    }

    @Test func partBeyondTheRequestedRangeIsUnusable() throws {
        let request = RangeRequest(from: 5, upTo: 8, length: 10, validator: Self.tag)
        #expect(answer(request, range: "bytes 5-7/10") == (try part("bytes 5-7/10")))
        #expect(answer(request, range: "bytes 5-8/10") == .unusablePart)
    }

    @Test func lengthOfTheContentMayBeUnknown() throws {
        let request = RangeRequest(from: 5, length: nil, validator: Self.tag)
        #expect(answer(request, range: "bytes 5-9/*") == (try part("bytes 5-9/*")))
        #expect(answer(request, range: "bytes 5-99/100") == (try part("bytes 5-99/100")))
    }

    @Test func bodyMustBeAsLongAsItsContentRange() throws {
        #expect(answer(rest, bodyLength: 5) == (try part("bytes 5-9/10")))
        for length: Int64 in [0, 4, 6, .max] {
            #expect(answer(rest, bodyLength: length) == .unusablePart, "\(length)")
        }
    }

    @Test func partMustRepeatTheEntityTag() {
        for tag in ["\"b\"", "W/\"a\"", ""] {
            #expect(answer(rest, tag: tag) == .unusablePart, "\(tag)")
        }
    }

    @Test func partMayLeaveTheModificationDateOut() throws {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let request = RangeRequest(from: 5, length: 10, validator: .lastModified(date))
        #expect(answer(request) == (try part("bytes 5-9/10")))
        #expect(answer(request, modified: date) == (try part("bytes 5-9/10")))
        let later = "Sun, 06 Nov 1994 08:49:38 GMT"
        #expect(answer(request, modified: later) == .unusablePart)
    }

    @Test func encodedPartIsUnusable() throws {
        #expect(answer(rest, coding: "gzip") == .unusablePart)
        #expect(answer(rest, coding: "Identity") == (try part("bytes 5-9/10")))
    }

    @Test func repeatedFieldIsTakenForOneList() {
        let answer = rest.answer(status: 206, bodyLength: nil) { name in
            switch name {
            case "Content-Range": ["bytes 5-9/10"]
            case "ETag": ["\"a\"", "\"b\""]
            default: []
            }
        }
        #expect(answer == .unusablePart)
    }

    // MARK: Other responses

    @Test func unsatisfiedRangeAtEndOfContentMeansNothingIsMissing() {
        let request = RangeRequest(from: 5, length: nil, validator: Self.tag)
        #expect(answer(request, status: 416, range: "bytes */5") == .nothingMissing)
        #expect(answer(request, status: 416, range: "bytes */5", tag: "") == .nothingMissing)
        #expect(answer(request, status: 416, range: "bytes */5", tag: "\"b\"") == .unsatisfiable)
        for range in ["", "bytes */4", "bytes */6", "bytes 0-4/5", "bytes */99999999999999999999"] {
            #expect(answer(request, status: 416, range: range) == .unsatisfiable, "\(range)")
        }
        // The content was known to be longer.
        #expect(answer(rest, status: 416, range: "bytes */5") == .unsatisfiable)
    }

    @Test func otherStatusHasTheWholeContentOrNone() {
        for status in [200, 203, 204, 226] {
            #expect(answer(rest, status: status) == .whole, "\(status)")
        }
        for status in [304, 401, 404, 412, 500] {
            #expect(answer(rest, status: status) == .failure, "\(status)")
        }
    }

    // MARK: What can be resumed later

    @Test func bodyWithStrongValidatorCanBeResumed() {
        func validator(_ fields: [String: [String]]) -> StrongValidator? {
            RangeRequest.validator(receivedAt: 1_500_000_000) { fields[$0] ?? [] }
        }
        #expect(validator(["ETag": ["\"a\""]]) == Self.tag)
        #expect(validator(["ETag": ["\"a\""], "Accept-Ranges": ["bytes"]]) == Self.tag)
        #expect(validator(["ETag": ["\"a\""], "Content-Encoding": ["identity"]]) == Self.tag)
        #expect(validator(["ETag": ["\"a\""], "Accept-Ranges": ["None"]]) == nil)
        #expect(validator(["ETag": ["\"a\""], "Content-Encoding": ["gzip"]]) == nil)
        #expect(validator(["ETag": ["W/\"a\""]]) == nil)
        #expect(validator(["ETag": ["\"a\"", "W/\"b\""]]) == nil)
        #expect(validator([:]) == nil)
    }
}
