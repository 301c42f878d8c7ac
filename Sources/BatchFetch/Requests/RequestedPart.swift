import CurlTransport
internal import HTTPSemantics
import HTTPTypes

/// A range of a body to request; the other ranges exist already or are fetched separately.
struct RequestedPart: Sendable, Hashable {
    let range: Range<Int64>
    /// The length of the complete body in bytes.
    let length: Int64
    /// The number of bytes of the body that exist already.
    let present: Int64
    let validator: StrongValidator
    /// Whether a response with the complete body is accepted too.
    var acceptsWhole = true

    /// Adds the fields that request this range. If the body has changed, the server sends all of it.
    func addFields(to fields: inout HTTPFields) {
        for field in request.fields {
            if let name = HTTPField.Name(field.name) { fields[name] = field.value }
        }
    }

    private var request: RangeRequest {
        RangeRequest(
            from: range.lowerBound,
            upTo: range.upperBound == length ? nil : range.upperBound,
            length: length,
            validator: validator
        )
    }

    /// Removes the fields that ``addFields(to:)`` sets.
    static func removeFields(from fields: inout HTTPFields) {
        for name in RangeRequest.fieldNames.compactMap({ HTTPField.Name($0) }) {
            fields[name] = nil
        }
    }

    /// Whether a response can't be used: no part, another range, another body, or compressed.
    func isRefused(by head: ResponseHead) -> Bool {
        // The body's length is checked when the transfer ends.
        switch request.answer(
            status: head.statusCode,
            bodyLength: nil,
            values: head.values(of:)
        ) {
        case .part(let part): part.range != range
        // `nothingMissing` is never the answer here: the requested range isn't empty.
        case .unusablePart, .nothingMissing, .unsatisfiable: true
        case .whole: RangeRequest.isEncoded(head.values(of:)) || !acceptsWhole
        case .failure: false
        }
    }
}
