internal import CurlTransport
internal import Foundation
internal import HTTPTypes

/// The words of resumable uploads: draft-ietf-httpbis-resumable-upload-05, whose interop version is 6.
///
/// What is said in another version counts as not said, on both sides, as the draft demands. Version 6 is
/// the one that most have in common: Apple's systems of 2024, SwiftNIO's upload handler and tusd. Those
/// of 2023 (3) and of 2025 (8) speak others.
enum UploadProtocol {
    static let version = "6"
    static let versionField = "Upload-Draft-Interop-Version"
    static let completeField = "Upload-Complete"
    static let offsetField = "Upload-Offset"
    /// The type of a body that is a part of an upload's.
    static let partType = "application/partial-upload"
    /// Upload Resumption Supported, an informational status.
    static let statusCode = 104

    private static let isTrue = "?1"

    /// Says that the upload could be gone on with, and that this is all of it.
    static let offer = fields([completeField: isTrue, versionField: version])

    private static func fields(_ values: [String: String]) -> [HTTPField] {
        values.sorted { $0.key < $1.key }.compactMap { name, value in
            HTTPField.Name(name).map { HTTPField(name: $0, value: value) }
        }
    }

    /// The fields of the request that asks how much the server has.
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

    /// Whether a field is about the body that it came with, or about what is stored at the URL that it
    /// was sent to, and not for a request about the upload itself.
    static func isOfWhole(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["content-", "upload-", "if-"].contains { name.hasPrefix($0) }
            || ["expect", "range", "transfer-encoding"].contains(name)
    }

    /// Whether somebody speaks the protocol himself.
    static func isSpoken(in fields: RequestHeaderFields) -> Bool {
        fields.lines.contains { isWord($0.name) }
    }

    private static func isWord(_ name: String) -> Bool {
        name.utf8.count > 7 && name.lowercased().hasPrefix("upload-")
    }

    /// Takes out what a request said of an upload that isn't any more.
    static func removeWords(from request: inout URLRequest) {
        guard let fields = request.state.headerFields else { return }
        request.state.headerFields = RequestHeaderFields(fields.lines.filter { !isWord($0.name) })
    }

    // MARK: What a server says

    /// Where the upload can be gone on with; `nil` for a head that doesn't say so in these words.
    static func location(in head: ResponseHead) -> String? {
        guard head.statusCode == statusCode, head.values(of: versionField) == [version],
            let location = head.values(of: "Location").first
        else { return nil }
        return location
    }

    /// How many bytes the server has; `nil` where it doesn't say so, or in no number.
    static func offset(_ values: [String]) -> Int64? {
        guard values.count == 1, let match = values[0].wholeMatch(of: /([0-9]{1,15})[ \t]*(;.*)?/)
        else { return nil }
        return Int64(match.1)
    }

    /// Whether the server has all; `nil` where it doesn't say so.
    static func isComplete(_ values: [String]) -> Bool? {
        guard values.count == 1, let match = values[0].wholeMatch(of: /\?([01])[ \t]*(;.*)?/)
        else { return nil }
        return match.1 == "1"
    }
}
