/// A request for the missing bytes of a content, of which the others exist already.
///
/// The downloads of sessions, the jobs of a journal and the bodies of batch runs are resumed with it:
/// it has the fields of the request, and decides what the response is (RFC 9110, 13.1.5, 14 and
/// 15.3.7).
package struct RangeRequest: Sendable, Hashable {
    /// The position of the first missing byte.
    package let start: Int64
    /// The position after the last missing byte; `nil` for all bytes up to the end of the content.
    package let end: Int64?
    /// The length of the whole content in bytes; `nil` if it is unknown.
    package let length: Int64?
    /// Identifies the content to which the existing bytes belong.
    package let validator: StrongValidator

    package init(
        from start: Int64,
        upTo end: Int64? = nil,
        length: Int64?,
        validator: StrongValidator
    ) {
        self.start = start
        self.end = end
        self.length = length
        self.validator = validator
    }

    /// The names of the fields that ``fields`` sets.
    package static let fieldNames = ["Range", "If-Range", "Accept-Encoding"]

    /// The fields of the request.
    ///
    /// If the content has changed, the server sends all of it. Content coding is turned off: a range
    /// counts the bytes that are transferred.
    package var fields: [(name: String, value: String)] {
        let last = end.map { "\($0 - 1)" } ?? ""
        return Array(
            zip(Self.fieldNames, ["bytes=\(start)-\(last)", validator.fieldValue, "identity"])
        )
    }
}

// MARK: The response

extension RangeRequest {
    /// How a response answers the range request.
    package enum Answer: Sendable, Hashable {
        /// The missing bytes, or the first of them.
        case part(ContentRange)
        /// A part that mustn't be combined with the existing bytes: another range, another content,
        /// or an encoded one.
        case unusablePart
        /// The whole content, perhaps another one.
        case whole
        /// No bytes, because none are missing: the content ends where the range begins (`416`).
        case nothingMissing
        /// No bytes, because the content has another length (`416`).
        case unsatisfiable
        /// No content, by any other status.
        case failure
    }

    /// Returns how a response answers this request.
    ///
    /// - Parameters:
    ///   - bodyLength: The length of the response's body in bytes; `nil` if it is unknown.
    ///   - values: Returns the values of all field lines of a name.
    package func answer(
        status: Int,
        bodyLength: Int64?,
        values: (String) -> [String]
    ) -> Answer {
        switch status {
        case 206:
            usablePart(bodyLength, values).map { .part($0) } ?? .unusablePart
        case 416:
            isComplete(values) ? .nothingMissing : .unsatisfiable
        case 200..<300:
            .whole
        default:
            .failure
        }
    }

    /// The part in a `206` response; `nil` if it can't be combined with the existing bytes.
    private func usablePart(_ bodyLength: Int64?, _ values: (String) -> [String]) -> ContentRange? {
        guard let part = ContentRange(lines: values("Content-Range")),
            part.range.lowerBound == start, part.range.upperBound <= end ?? length ?? .max,
            agrees(part.length, length), agrees(bodyLength, Int64(part.range.count)),
            !Self.isEncoded(values),
            // A server that doesn't support `If-Range` sends a part of its present content.
            !validator.isContradicted(by: Self.field(values))
        else { return nil }
        return part
    }

    private func isComplete(_ values: (String) -> [String]) -> Bool {
        values("Content-Range").count == 1
            && ContentRange.unsatisfiedLength(values("Content-Range")[0]) == start
            && agrees(start, length) && !validator.differs(from: Self.field(values))
    }

    /// Whether two lengths are equal; also true if one of them is unknown.
    private func agrees(_ one: Int64?, _ other: Int64?) -> Bool {
        guard let one, let other else { return true }
        return one == other
    }

    /// Whether a response's content is encoded, so that ranges don't count its bytes.
    package static func isEncoded(_ values: (String) -> [String]) -> Bool {
        !values("Content-Encoding").allSatisfy { $0.equalsIgnoringASCIICase("identity") }
    }

    /// Returns a function for the value of a field, with repeated lines joined as one (RFC 9110,
    /// 5.3).
    private static func field(_ values: (String) -> [String]) -> (String) -> String? {
        let known = StrongValidator.fieldNames.map { ($0, values($0)) }
        return { name in
            known.first { $0.0 == name && !$0.1.isEmpty }?.1.joined(separator: ", ")
        }
    }

    /// Returns the validator with which the missing bytes of a response's body can be requested
    /// later; `nil` if they can't be.
    ///
    /// They can't be if the content has no strong validator, is encoded, or if the server says that
    /// it doesn't support ranges (RFC 9110, 14.3).
    ///
    /// - Parameters:
    ///   - now: About when the response arrived, in seconds since 1970.
    ///   - values: Returns the values of all field lines of a name.
    package static func validator(
        receivedAt now: Int64,
        values: (String) -> [String]
    ) -> StrongValidator? {
        guard !isEncoded(values),
            !values("Accept-Ranges").contains(where: { $0.equalsIgnoringASCIICase("none") })
        else { return nil }
        return StrongValidator(receivedAt: now, field: field(values))
    }
}
