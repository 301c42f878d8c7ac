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

    /// Adds the fields that request this range (RFC 9110, 13.1.5).
    ///
    /// If the body has changed, the server sends all of it. Content coding is turned off, because
    /// ranges refer to the transferred bytes.
    func addFields(to fields: inout HTTPFields) {
        let last = range.upperBound == length ? "" : "\(range.upperBound - 1)"
        fields[.range] = "bytes=\(range.lowerBound)-\(last)"
        fields[.ifRange] = validator.fieldValue
        fields[.acceptEncoding] = "identity"
    }

    /// Removes the fields that ``addFields(to:)`` sets.
    static func removeFields(from fields: inout HTTPFields) {
        fields[.range] = nil
        fields[.ifRange] = nil
        fields[.acceptEncoding] = nil
    }

    /// Whether a response can't be used: no part, another range, another body, or compressed.
    func isRefused(by head: ResponseHead) -> Bool {
        switch head.statusCode {
        case 416:
            return true
        case 206:
            let content = ContentRange(lines: head.values(of: "Content-Range"))
            return head.isEncoded || validator.isContradicted(by: head.firstValue(of:))
                || content?.range != range
                || content?.length.map { $0 != length } ?? false
        case 200..<300:
            return head.isEncoded || !acceptsWhole
        default:
            return false
        }
    }
}

extension ResponseHead {
    /// The value of the first field of a name that is known to be valid.
    func firstValue(of name: String) -> String? {
        HTTPField.Name(name).flatMap { firstValue(of: $0) }
    }
}
