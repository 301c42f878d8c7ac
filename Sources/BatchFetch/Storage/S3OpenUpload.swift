internal import HTTPSemantics
import HTTPTypes

/// An upload in parts that isn't complete.
struct S3OpenUpload: Sendable, Hashable {
    let key: String
    let id: String
}

/// Lists a bucket.
extension S3Client {
    /// Enough for 100,000 entries; a server that never ends its listing ends here.
    private static let maximumPages = 100

    /// The uploads in parts that aren't complete, of keys that begin with `prefix`.
    func openUploads(prefix: String) async throws(S3Error) -> [S3OpenUpload] {
        var found: [S3OpenUpload] = []
        var query = ["uploads": "", "prefix": prefix, "encoding-type": "url"]
        for _ in 0..<Self.maximumPages {
            let page = try await page(query)
            for upload in page.children where upload.name == "Upload" {
                guard let id = upload["UploadId"], let key = Self.key(upload["Key"], page) else {
                    continue
                }
                found.append(S3OpenUpload(key: key, id: id))
            }
            guard page["IsTruncated"] == "true", let key = Self.key(page["NextKeyMarker"], page),
                let id = page["NextUploadIdMarker"]
            else { break }
            query["key-marker"] = key
            query["upload-id-marker"] = id
        }
        return found
    }

    /// The keys of objects that begin with `prefix`.
    ///
    /// - Parameter limit: The number of keys after which the listing ends; all by default.
    func keys(prefix: String, limit: Int = .max) async throws(S3Error) -> [String] {
        var found: [String] = []
        var query = ["list-type": "2", "prefix": prefix, "encoding-type": "url"]
        if limit < 1_000 { query["max-keys"] = String(limit) }
        for _ in 0..<Self.maximumPages {
            let page = try await page(query)
            for object in page.children where object.name == "Contents" {
                if let key = Self.key(object["Key"], page) { found.append(key) }
            }
            guard found.count < limit, page["IsTruncated"] == "true",
                let token = page["NextContinuationToken"]
            else { break }
            query["continuation-token"] = token
        }
        return found
    }

    private func page(_ query: [String: String]) async throws(S3Error) -> S3Element {
        let answer = try await send(S3Request(.get, query: query))
        guard let page = answer.element else { throw .invalidAnswer("the listing is no XML") }
        return page
    }

    /// A key of a listing, whose keys may be encoded as in a form: with `+` for a space.
    private static func key(_ text: String?, _ page: S3Element) -> String? {
        guard let text, page["EncodingType"] == "url" else { return text }
        let (plus, space) = (UInt8(ascii: "+"), UInt8(ascii: " "))
        let bytes = PercentCoding.decode(text.utf8.map { $0 == plus ? space : $0 })
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Ends an upload, and removes its parts. Its object never exists.
    func abort(_ upload: S3OpenUpload) async throws(S3Error) {
        let request = S3Request(.delete, key: upload.key, query: ["uploadId": upload.id])
        do throws(S3Error) {
            _ = try await send(request)
        } catch {
            guard error.code != "NoSuchUpload" else { return }
            throw error
        }
    }
}
