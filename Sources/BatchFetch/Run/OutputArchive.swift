import CurlTransport
import HTTPTypes
import Posix

/// The archive of a run's bodies, in a folder or in object storage.
struct OutputArchive: Sendable {
    private let archive: any BodyArchive
    /// The folder of bodies that aren't in the archive yet.
    private let spoolFolder: String
    /// The results of archives that aren't stored; `nil` in a folder.
    private let held: HeldResults?
    /// Ends archives that are old; `nil` in a folder.
    private let rotation: Worker?
    /// Whether bodies are stored as they were transferred.
    private let keepsTransferred: Bool

    /// Returns `nil` if the output is no archive.
    ///
    /// - Parameters:
    ///   - uploads: The object storage, if the output is there.
    ///   - omittedFields: Fields that requests have only if they are their own.
    init?(
        _ output: BatchOutput,
        _ uploads: ObjectUploads?,
        omitting omittedFields: Set<HTTPField.Name>
    ) throws(BatchFailure) {
        keepsTransferred = output.keepsTransferred
        let label = output.archiveLabel
        switch output.kind {
        case .tar(.folder(let folder), let limit):
            archive = TarArchive(folder: folder, limit: limit, label: label)
            (spoolFolder, held, rotation) = (folder, nil, nil)
        case .warc(.folder(let folder), let limit):
            archive = try WARCArchive(
                folder: folder,
                limit: limit,
                label: label,
                omitting: omittedFields
            )
            (spoolFolder, held, rotation) = (folder, nil, nil)
        case .tar(.objects, let limit):
            guard let uploads else { return nil }
            let results = try HeldResults()
            archive = TarArchive(in: uploads, limit: limit, label: label, holding: results)
            spoolFolder = SpooledBody.temporaryFolder
            held = results
            rotation = try Self.makeWorker()
        case .warc(.objects, let limit):
            guard let uploads else { return nil }
            let results = try HeldResults()
            archive = try WARCArchive(
                in: uploads,
                limit: limit,
                label: label,
                holding: results,
                omitting: omittedFields
            )
            spoolFolder = SpooledBody.temporaryFolder
            held = results
            rotation = try Self.makeWorker()
        case .discard, .directory, .objects, .standardOutput, .memory, .stored, .inspected:
            return nil
        }
    }

    private static func makeWorker() throws(BatchFailure) -> Worker {
        do throws(SystemFailure) {
            return try Worker(name: "batch-archive")
        } catch {
            throw BatchFailure(.resources, "\(error)")
        }
    }

    /// The body of a response for the archive.
    func body(
        of job: FetchJob,
        _ head: ResponseHead,
        _ request: HTTPRequest
    ) -> ArchivedBody {
        ArchivedBody(
            ArchivedResponse(
                job: job,
                request: request,
                head: head,
                moment: WallClock.microsecondsSince1970
            ),
            in: archive,
            folder: spoolFolder,
            digestingWith: keepsTransferred
                ? WARCExchange.responseHead(head, answering: request) : nil,
            limit: (300..<400).contains(head.statusCode) ? FetchAttempt.redirectContent : nil
        )
    }

    /// Begins to end archives that are old.
    ///
    /// - Parameters:
    ///   - isIdle: Whether no body is expected soon.
    ///   - onEnd: Called when an archive is stored, or with the reason if it can't be.
    func begin(
        isIdle: @escaping @Sendable () -> Bool,
        onEnd: @escaping @Sendable (BatchFailure?) -> Void
    ) throws(SystemFailure) {
        held?.onEnd(onEnd)
        let archive = archive
        try rotation?.startRepeating {
            do throws(BatchFailure) {
                try archive.closeDue(isIdle: isIdle())
            } catch {
                onEnd(error)
            }
            return MonotonicTime.now.advanced(by: .seconds(1))
        }
    }

    /// Holds the results of archives that aren't stored, and returns all others.
    func release(adding results: [BatchResult]) -> [BatchResult] {
        held?.release(adding: results) ?? results
    }

    /// Closes the last archive, and waits until all are stored. Blocks.
    func end() throws(BatchFailure) {
        rotation?.end()
        var failure: BatchFailure?
        do throws(BatchFailure) {
            try archive.close()
        } catch {
            failure = error
        }
        let lost = held?.waitForUploads()
        if let failure = failure ?? lost { throw failure }
    }
}
