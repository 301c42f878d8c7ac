internal import FoundationEssentials
import HTTPTypes

/// What an earlier run got for a URL.
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
        let path: String?
        let sha256: String?
        let sha512: String?
        let sha1: String?
        let md5: String?
    }

    let url: String
    /// The URL that gave the validators, as requests have it.
    let finalURL: String
    let etag: String?
    let lastModified: String?
    let contentType: String?
    let bytes: Int64
    let transferredBytes: Int64
    let digests: [DigestAlgorithm: [UInt8]]
    /// The body's file, relative to the output folder.
    let path: String?

    /// `nil` for a line that is no success, or has no validator that could be sent.
    init?(line: [UInt8]) {
        guard let line = try? JSONDecoder().decode(Line.self, from: Data(line)), line.ok,
            let finalURL = line.final_url
        else { return nil }
        let etag = line.etag.flatMap { !$0.isEmpty && HTTPField.isValidValue($0) ? $0 : nil }
        let date = line.last_modified.flatMap { HTTPDate.seconds(from: $0) == nil ? nil : $0 }
        guard etag != nil || date != nil else { return nil }
        url = line.url
        self.finalURL = finalURL
        self.etag = etag
        lastModified = date
        contentType = line.content_type
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

    /// The body's file, where its path is one that is safe below any folder.
    var name: FileName? {
        guard let path else { return nil }
        let name = FileName(path, url: url)
        return name.path == path ? name : nil
    }

    /// Asks for the body only if it has changed. An entity tag goes before a date, and weak ones do:
    /// they are compared as such (RFC 9110, 13.1.2).
    func addConditions(to fields: inout HTTPFields) {
        if let etag {
            fields[.ifNoneMatch] = etag
        } else {
            fields[.ifModifiedSince] = lastModified
        }
    }
}
