import HTTPTypes
import Posix

extension EarlierResponses {
    private static let conditions: [HTTPField.Name] = [
        .ifNoneMatch, .ifModifiedSince, .ifMatch, .ifUnmodifiedSince, .ifRange, .range,
    ]

    /// The earlier response with which a job's request can be made conditional.
    ///
    /// `nil` if the body must be fetched. Runs on the reader's thread, because it may block on the
    /// disk.
    func response(for job: FetchJob, _ configuration: BatchConfiguration) -> EarlierResponse? {
        guard Self.mayBeConditional(job.target.details?.request),
            let response = response(for: job.target.url),
            Self.hasDigests(response, job.target.details?.request, configuration),
            Self.hasBody(response, job, configuration.output)
        else { return nil }
        return response
    }

    private static func mayBeConditional(_ request: BatchRequest?) -> Bool {
        guard let request else { return true }
        return (request.method == .get || request.method == .head) && request.body == .none
            && !conditions.contains { request.headerFields.contains($0) }
    }

    /// Whether all required checksums are known and match the expected ones.
    private static func hasDigests(
        _ response: EarlierResponse,
        _ request: BatchRequest?,
        _ configuration: BatchConfiguration
    ) -> Bool {
        guard !configuration.isHeadOnly, request?.method != .head else { return true }
        return configuration.digests.allSatisfy { response.digests[$0] != nil }
            && (request?.digests ?? []).allSatisfy { response.digests[$0.algorithm] == $0.bytes }
    }

    private static func hasBody(
        _ response: EarlierResponse,
        _ job: FetchJob,
        _ output: BatchOutput
    ) -> Bool {
        switch output.kind {
        case .discard: true
        case .directory(let folder, let naming):
            hasFile(response, job, in: folder, naming)
        case .objects, .tar, .warc, .standardOutput, .memory, .stored, .inspected: false
        }
    }

    private static func hasFile(
        _ response: EarlierResponse,
        _ job: FetchJob,
        in folder: String,
        _ naming: FileNaming
    ) -> Bool {
        // A run with `HEAD` requests has left empty files.
        guard let name = response.name, response.bytes > 0 else { return false }
        // If the list specifies a name, it must be the existing file's name.
        if job.target.details?.request.name != nil,
            naming.name(for: job, contentType: nil).path != name.path
        {
            return false
        }
        let path = "\(folder)/\(name.path)"
        guard (try? FileSystem.kind(of: path)) == .regular,
            let size = try? FileDescriptor.openForReading(path).size()
        else { return false }
        return size == response.bytes
    }
}
