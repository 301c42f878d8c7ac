import CurlTransport
internal import HTTPSemantics
import HTTPTypes
import Posix

/// Stores one object: with one request, or in parts if it is large.
///
/// The object exists only when all of it has arrived. An upload that fails removes its parts.
/// Parts that a killed process has left of the same key are removed, too.
struct S3Upload: Sendable {
    /// How many parts are sent at once.
    private static let concurrency = 4
    /// How often an upload begins that another process ends.
    private static let maximumStarts = 3

    let client: S3Client
    let key: String
    let content: SpooledBody
    /// The object's media type; `nil` if it isn't known.
    var contentType: String?
    /// Whether an existing object is replaced. If not, it is an error, if the server supports that.
    var replacesObject = true

    /// A part that the server has.
    private struct Part: Sendable {
        let number: Int
        let etag: String
        let checksum: String
    }

    /// Stores the object.
    func run() async throws(S3Error) {
        let plan = PartPlan(length: content.count)
        do throws(S3Error) {
            guard plan.isSingle else { return try await storeParts(plan) }
            try await storeWhole(plan.length)
        } catch {
            guard await isStored(despite: error, plan) else { throw error }
        }
    }

    /// The fields of the object.
    private var objectFields: HTTPFields {
        // libcurl before 8.3 signs the field even if a request has none.
        [.contentType: contentType ?? "application/octet-stream"]
    }

    private func storeWhole(_ length: Int64) async throws(S3Error) {
        var request = S3Request(.put, key: key)
        request.headerFields = objectFields
        if !replacesObject { request.headerFields[.ifNoneMatch] = "*" }
        do throws(FileError) {
            let isSmall = length <= 128 * 1024
            request.content =
                isSmall
                ? .bytes(try content.bytes(at: 0, upTo: Int(length))) : .part(content, 0..<length)
        } catch {
            throw .file(error)
        }
        guard try await client.send(request).headerFields[.eTag] != nil else {
            throw .invalidAnswer("the answer to an upload has no ETag")
        }
    }

    private func storeParts(_ plan: PartPlan) async throws(S3Error) {
        guard plan.length <= PartPlan.maximum else {
            throw .invalidAnswer("an object has at most 5 TiB")
        }
        var start = 1
        while true {
            await abortOthers()
            do throws(S3Error) {
                return try await storePartsOnce(plan)
            } catch {
                guard error.code == "NoSuchUpload", start < Self.maximumStarts,
                    await !isStored(despite: error, plan)
                else { throw error }
                start += 1
            }
        }
    }

    private func storePartsOnce(_ plan: PartPlan) async throws(S3Error) {
        var request = S3Request(.post, key: key, query: ["uploads": ""])
        request.headerFields = objectFields
        request.headerFields[.checksumAlgorithm] = "SHA256"
        // Some servers require a length.
        request.content = .bytes([])
        let answer = try await client.send(request)
        guard let id = answer.element?["UploadId"], !id.isEmpty else {
            throw .invalidAnswer("the answer to the start of an upload has no UploadId")
        }
        // The first answer may have been lost, with the name of an upload.
        if answer.isRepeated { await abortOthers(than: id) }
        do throws(S3Error) {
            try await complete(try await sendParts(plan, id), id)
        } catch {
            await abort(id)
            throw error
        }
    }

    private func sendParts(_ plan: PartPlan, _ id: String) async throws(S3Error) -> [Part] {
        let result = await withTaskGroup(of: Result<Part, S3Error>.self) { group in
            var parts: [Part] = []
            var next = 1
            while next <= min(plan.count, Self.concurrency) {
                let number = next
                group.addTask { await sendPart(number, plan, id) }
                next += 1
            }
            while let result = await group.next() {
                switch result {
                case .success(let part): parts.append(part)
                case .failure(let error):
                    group.cancelAll()
                    return Result<[Part], S3Error>.failure(error)
                }
                guard next <= plan.count else { continue }
                let number = next
                group.addTask { await sendPart(number, plan, id) }
                next += 1
            }
            return .success(parts.sorted { $0.number < $1.number })
        }
        return try result.get()
    }

    private func sendPart(
        _ number: Int,
        _ plan: PartPlan,
        _ id: String
    ) async -> Result<Part, S3Error> {
        do throws(S3Error) {
            let query = ["partNumber": String(number), "uploadId": id]
            var request = S3Request(.put, key: key, query: query)
            request.headerFields[.contentType] = "application/octet-stream"
            request.content = .part(content, plan.range(ofPart: number))
            let checksum = try request.addDigest()
            let answer = try await client.send(request)
            guard let etag = answer.headerFields[.eTag] else {
                throw .invalidAnswer("the answer to part \(number) has no ETag")
            }
            return .success(Part(number: number, etag: etag, checksum: checksum))
        } catch {
            return .failure(error)
        }
    }

    private func complete(_ parts: [Part], _ id: String) async throws(S3Error) {
        let list = parts.map { part in
            "<Part><ChecksumSHA256>\(part.checksum)</ChecksumSHA256>"
                + "<ETag>\(S3Element.escaped(part.etag))</ETag>"
                + "<PartNumber>\(part.number)</PartNumber></Part>"
        }
        let text =
            "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
            + list.joined() + "</CompleteMultipartUpload>"
        var request = S3Request(.post, key: key, query: ["uploadId": id])
        request.headerFields[.contentType] = "application/xml"
        if !replacesObject { request.headerFields[.ifNoneMatch] = "*" }
        request.content = .bytes(Array(text.utf8))
        // The status is sent before the server has put the parts together.
        request.requiredElement = "ETag"
        _ = try await client.send(request)
    }

    /// Whether the object is there although the last answer was an error.
    ///
    /// That is so if the answer to an earlier, identical request was lost.
    private func isStored(despite error: S3Error, _ plan: PartPlan) async -> Bool {
        guard case .refused(let refusal) = error, refusal.isRepeated,
            refusal.status == 412 || refusal.code == "NoSuchUpload"
        else { return false }
        var request = S3Request(.head, key: key)
        request.headerFields[.checksumMode] = "ENABLED"
        guard let fields = try? await client.send(request).headerFields,
            fields[.contentLength].flatMap({ Int64($0) }) == plan.length
        else { return false }
        // It may be another object of the same length. Not all servers keep checksums.
        guard let stored = fields[.checksumSHA256],
            plan.isSingle || stored.hasSuffix("-\(plan.count)")
        else { return true }
        return stored == (try? checksum(plan))
    }

    /// The checksum that the server keeps of the object: of one in parts, that of their checksums.
    private func checksum(_ plan: PartPlan) throws(FileError) -> String {
        guard !plan.isSingle else {
            return S3Request.checksum(try content.digest(of: 0..<plan.length))
        }
        var digests: [UInt8] = []
        for number in 1...plan.count {
            digests += try content.digest(of: plan.range(ofPart: number))
        }
        return "\(S3Request.checksum(MessageDigest.of(digests, .sha256)))-\(plan.count)"
    }

    /// Removes the parts of an upload, also after the task was cancelled.
    private func abort(_ id: String) async {
        let (client, upload) = (client, S3OpenUpload(key: key, id: id))
        await Task(executorPreference: client.taskExecutor) { try? await client.abort(upload) }
            .value
    }

    /// Removes the parts of all other uploads of the key. No process continues them.
    ///
    /// Not an error if the server refuses that: then the bucket's rules have to remove them.
    private func abortOthers(than id: String? = nil) async {
        guard let uploads = try? await client.openUploads(prefix: key) else { return }
        for upload in uploads where upload.key == key && upload.id != id {
            try? await client.abort(upload)
        }
    }
}
