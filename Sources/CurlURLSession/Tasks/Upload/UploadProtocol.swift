internal import CurlTransport
internal import Foundation
internal import HTTPSemantics
internal import HTTPTypes

/// Resumable uploads: draft-ietf-httpbis-resumable-upload-05, whose interop version is 6.
///
/// Messages of another version are ignored by both sides, as the draft requires. Version 6 is the
/// most widely supported: Apple's systems of 2024, SwiftNIO's upload handler and tusd use it. Those
/// of 2023 (version 3) and of 2025 (version 8) use others.
enum UploadProtocol {
    static let version = "6"
    static let versionField = "Upload-Draft-Interop-Version"
    static let completeField = "Upload-Complete"
    static let offsetField = "Upload-Offset"
    /// The media type of a part of an upload.
    static let partType = "application/partial-upload"
    /// Upload Resumption Supported, an informational status.
    static let statusCode = 104

    private static let isTrue = "?1"

    /// The fields that offer resumption, in a request with the complete body.
    static let offer = fields([completeField: isTrue, versionField: version])

    private static func fields(_ values: [String: String]) -> [HTTPField] {
        values.sorted { $0.key < $1.key }.compactMap { name, value in
            HTTPField.Name(name).map { HTTPField(name: $0, value: value) }
        }
    }

    /// The fields of the request that asks for the server's offset.
    static let inquiryLines = [HeaderLine(name: versionField, value: version)]

    /// The fields of the request that sends the rest.
    static func restLines(from offset: Int64) -> [HeaderLine] {
        [
            HeaderLine(name: "Content-Type", value: partType),
            HeaderLine(name: completeField, value: isTrue),
            HeaderLine(name: versionField, value: version),
            HeaderLine(name: offsetField, value: "\(offset)"),
        ]
    }

    /// Whether a field belongs to the original request only.
    ///
    /// Such a field describes the original body, or the resource at the original URL. It isn't sent
    /// in requests about the upload.
    static func isOfWhole(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["content-", "upload-", "if-"].contains { name.hasPrefix($0) }
            || ["expect", "range", "transfer-encoding"].contains(name)
    }

    /// Whether the request itself already uses the protocol.
    static func isUsed(by fields: RequestHeaderFields) -> Bool {
        fields.lines.contains { isWord($0.name) }
    }

    private static func isWord(_ name: String) -> Bool {
        name.utf8.count > 7 && name.lowercased().hasPrefix("upload-")
    }

    /// Removes the protocol's fields from a request.
    static func removeWords(from request: inout URLRequest) {
        guard let fields = request.state.headerFields else { return }
        request.state.headerFields = RequestHeaderFields(fields.lines.filter { !isWord($0.name) })
    }

    // MARK: Server responses

    /// The URL at which to resume the upload. `nil` if the head isn't a valid offer.
    static func location(in head: ResponseHead) -> String? {
        guard head.statusCode == statusCode, head.values(of: versionField) == [version],
            let location = head.values(of: "Location").first
        else { return nil }
        return location
    }

    /// The server's offset in bytes; `nil` if it is missing or invalid.
    static func offset(_ values: [String]) -> Int64? {
        guard values.count == 1, let match = values[0].wholeMatch(of: /([0-9]{1,15})[ \t]*(;.*)?/)
        else { return nil }
        return Int64(match.1)
    }

    /// Whether the server has the complete upload. `nil` if the field is missing or invalid.
    static func isComplete(_ values: [String]) -> Bool? {
        guard values.count == 1, let match = values[0].wholeMatch(of: /\?([01])[ \t]*(;.*)?/)
        else { return nil }
        return match.1 == "1"
    }
}

/// The purpose of a request in a resumable upload.
enum UploadStep: Sendable, Hashable {
    /// Sends the complete body, and offers resumption.
    case whole
    /// Asks for the server's offset.
    case inquiry
    /// Sends the bytes that the server lacks.
    case rest(from: Int64)

    /// The offset of the request's body in the complete body.
    var offset: Int64 {
        if case .rest(let offset) = self { offset } else { 0 }
    }
}
