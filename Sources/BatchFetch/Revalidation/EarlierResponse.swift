internal import FoundationEssentials
internal import HTTPSemantics
internal import HTTPTypes
internal import Posix

/// The response that an earlier run received for a URL.
final class EarlierResponse: Sendable {
    private struct Line: Decodable {
        let url: String
        let final_url: String?
        let ok: Bool
        let bytes: Int64
        let decoded_bytes: Int64
        let etag: String?
        let last_modified: String?
        let content_type: String?
        let content_encoding: String?
        let path: String?
        let sha256: String?
        let sha512: String?
        let sha1: String?
        let md5: String?
    }

    let url: String
    /// The URL that sent the validators, as requests spell it.
    let finalURL: String
    let etag: String?
    let lastModified: String?
    let contentType: String?
    /// The coding of the body's file, if it wasn't decoded.
    let contentEncoding: String?
    let bytes: Int64
    let transferredBytes: Int64
    let digests: [DigestAlgorithm: [UInt8]]
    /// The body's file, relative to the output folder.
    let path: String?

    /// Parses a line of results; `nil` if it is no success or has no usable validator.
    init?(line: [UInt8]) {
        guard let line = try? JSONDecoder().decode(Line.self, from: Data(line)), line.ok,
            let finalURL = line.final_url
        else { return nil }
        let etag = line.etag.flatMap { !$0.isEmpty && HTTPField.isValidValue($0) ? $0 : nil }
        // It is sent back as it came, so its format doesn't matter.
        let date = line.last_modified.flatMap {
            !$0.isEmpty && HTTPField.isValidValue($0) ? $0 : nil
        }
        guard etag != nil || date != nil else { return nil }
        url = line.url
        self.finalURL = finalURL
        self.etag = etag
        lastModified = date
        contentType = line.content_type
        contentEncoding = line.content_encoding
        bytes = line.decoded_bytes
        transferredBytes = line.bytes
        path = line.path
        var digests: [DigestAlgorithm: [UInt8]] = [:]
        digests[.sha256] = line.sha256.flatMap { Hexadecimal.bytes(of: $0) }
        digests[.sha512] = line.sha512.flatMap { Hexadecimal.bytes(of: $0) }
        digests[.sha1] = line.sha1.flatMap { Hexadecimal.bytes(of: $0) }
        digests[.md5] = line.md5.flatMap { Hexadecimal.bytes(of: $0) }
        self.digests = digests
    }

    /// The body's file; `nil` unless the path is safe below any folder.
    var name: FileName? {
        guard let path else { return nil }
        let name = FileName(path, url: url)
        return name.path == path ? name : nil
    }

    /// Adds the conditions that request the body only if it has changed.
    ///
    /// An entity tag takes precedence over a date. Weak tags are sent too: `If-None-Match` uses
    /// weak comparison (RFC 9110, 13.1.2).
    func addConditions(to fields: inout HTTPFields) {
        if let etag {
            fields[.ifNoneMatch] = etag
        } else {
            fields[.ifModifiedSince] = lastModified
        }
    }
}
