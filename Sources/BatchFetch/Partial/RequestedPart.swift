import CurlTransport
import HTTPTypes

/// A part of a body, of which the rest is there.
struct RequestedPart: Sendable, Hashable {
    let range: Range<Int64>
    /// Of the whole body.
    let length: Int64
    /// How many bytes of it are there.
    let present: Int64
    let validator: BodyValidator
    /// Whether the whole is fine too.
    var takesWhole = true

    /// Asks for it, and for the whole if that isn't what it was (RFC 9110, 13.1.5). Without content
    /// coding: ranges are of what is transferred.
    func addFields(to fields: inout HTTPFields) {
        let last = range.upperBound == length ? "" : "\(range.upperBound - 1)"
        fields[.range] = "bytes=\(range.lowerBound)-\(last)"
        fields[.ifRange] = validator.fieldValue
        fields[.acceptEncoding] = "identity"
    }

    /// As the fields are where nothing was asked for with ``addFields(to:)``.
    static func removeFields(from fields: inout HTTPFields) {
        fields[.range] = nil
        fields[.ifRange] = nil
        fields[.acceptEncoding] = nil
    }

    /// Whether a response is of no use: it is no part, not this one, of something else, or compressed.
    func isRefused(by head: ResponseHead) -> Bool {
        switch head.statusCode {
        case 416:
            return true
        case 206:
            let content = head.firstValue(of: .contentRange).flatMap { ContentRange($0) }
            return head.isEncoded || validator.isContradicted(by: head) || content?.range != range
                || content?.length.map { $0 != length } ?? false
        case 200..<300:
            return head.isEncoded || !takesWhole
        default:
            return false
        }
    }
}
