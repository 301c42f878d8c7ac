import CurlTransport
import HTTPTypes
import Posix

/// Creates the sinks that the configuration requires.
struct SinkFactory: Sendable {
    private let output: BatchOutput
    private let disk: DiskThreads?
    private let archive: OutputArchive?
    /// The owners of existing files, if a journal must keep them.
    private let claims: BodyOwners?
    /// The folder of incomplete bodies, if they are kept.
    private let partials: PartialFolder?
    /// The object storage of the bodies, if there is one.
    private let uploads: ObjectUploads?
    /// The folder of the bodies or archives, if there is one.
    private let folder: OutputFolder?
    private let names: NameRegistry
    /// Protected names below the output folder, which no body may use.
    private let protectedNames: Set<String>
    /// The mark in the names of unfinished files of a journal's runs.
    private let mark: String?
    /// The bodies that wait for their results to be written.
    private let bodies = BodyStore(folder: SpooledBody.temporaryFolder)
    private let isStandardOutputTaken = StandardOutputBody.IsTaken()
    /// Whether files get the time of `Last-Modified`.
    private let usesRemoteTime: Bool
    /// The planned names of a dry run; otherwise `nil`.
    let plan: PlannedNames?

    /// Creates the output folder and starts disk threads, if needed.
    ///
    /// - Parameters:
    ///   - journal: The journal of the run.
    ///   - earlier: The results whose URLs aren't fetched again.
    ///   - protectedNames: Protected files, which no body replaces.
    ///   - keepsParts: Whether incomplete bodies are kept and resumed.
    ///   - segments: The maximum number of concurrent pieces of a large body.
    ///   - usesRemoteTime: Whether files get the time of `Last-Modified`.
    ///   - omittedFields: Fields that requests have only if they are their own.
    init(
        _ output: BatchOutput,
        journal: BatchJournal? = nil,
        after earlier: EarlierResults? = nil,
        protecting protectedNames: [String] = [],
        keepsParts: Bool = false,
        segments: Int = 1,
        usesRemoteTime: Bool = false,
        omitting omittedFields: Set<HTTPField.Name> = []
    ) throws(BatchFailure) {
        self.output = output
        self.usesRemoteTime = usesRemoteTime
        plan = nil
        mark = journal?.mark
        let resumedResults = journal.map { $0.isNew ? [] : $0.resultFiles } ?? []
        names = NameRegistry(
            after: (earlier?.paths ?? []) + resumedResults,
            in: output.namingFolder
        )
        uploads = try Self.openUploads(of: output)
        archive = try OutputArchive(output, uploads, omitting: omittedFields)
        claims = output.keepsExisting ? try journal?.claims() : nil
        switch output.kind {
        case .discard, .memory, .inspected:
            disk = nil
            partials = nil
            folder = nil
            self.protectedNames = []
            return
        case .standardOutput, .stored, .objects, .tar(.objects, _), .warc(.objects, _):
            folder = nil
            self.protectedNames = []
        case .directory(let path, _):
            try BatchOutput.makeFolder(path)
            folder = OutputFolder(path)
            self.protectedNames = Self.names(
                of: protectedNames + (journal?.ownFiles ?? []),
                below: path
            )
        case .tar(.folder(let path), _), .warc(.folder(let path), _):
            try BatchOutput.makeFolder(path)
            folder = OutputFolder(path)
            self.protectedNames = []
        }
        do throws(SystemFailure) {
            let disk = try DiskThreads()
            self.disk = disk
            if case .directory(let path, _) = output.kind, keepsParts {
                partials = PartialFolder(in: path, segments: segments, disk: disk)
            } else {
                partials = nil
            }
        } catch {
            throw BatchFailure(.resources, "\(error)")
        }
    }

    /// Creates a factory for a dry run, which only determines names.
    init(
        planning output: BatchOutput,
        after earlier: [String] = [],
        protecting protectedNames: [String] = []
    ) {
        self.output = output
        usesRemoteTime = false
        mark = nil
        names = NameRegistry(after: earlier, in: output.namingFolder)
        self.protectedNames =
            output.namingFolder.map { Self.names(of: protectedNames, below: $0) } ?? []
        plan = PlannedNames(names)
        disk = nil
        archive = nil
        claims = nil
        partials = nil
        uploads = nil
        folder = nil
    }

    /// Connects to the object storage of an output, if it has one.
    private static func openUploads(
        of output: BatchOutput
    ) throws(BatchFailure) -> ObjectUploads? {
        guard let storage = output.storage else { return nil }
        let uploads = try ObjectUploads(storage)
        try uploads.check()
        return uploads
    }

    private static func names(of files: [String], below folder: String) -> Set<String> {
        Set(files.flatMap { FileSystem.names(of: $0, below: folder) })
    }

    /// The sink for a response's body; `nil` for none.
    func sink(
        for job: FetchJob,
        _ head: ResponseHead,
        _ request: HTTPRequest
    ) -> (any BodySink)? {
        let isSuccess = (200..<300).contains(head.statusCode)
        guard isSuccess || output.keepsTransferred else { return nil }
        switch output.kind {
        case .discard:
            return DiscardSink.shared
        case .memory(let limit):
            return MemorySink(limit: limit)
        case .stored where request.method == .head:
            return nil
        case .stored(let limit):
            return onDisk(ResultBody(in: bodies, limit: limit))
        case .inspected(let inspector):
            return InspectorSink(inspector(String(job.target.rest)))
        // A response to `HEAD` has no body and replaces nothing.
        case .directory where request.method == .head, .objects where request.method == .head,
            .tar where request.method == .head,
            .standardOutput where request.method == .head:
            return nil
        case .standardOutput:
            return onDisk(
                StandardOutputBody(
                    folder: SpooledBody.temporaryFolder,
                    isTaken: isStandardOutputTaken
                )
            )
        case .directory(let path, let naming):
            let isKnown = naming.isKnownEarly(for: job)
            let contentType = isKnown ? nil : head.firstValue(of: .contentType)
            var placement = placement(for: job, contentType, in: path, naming)
            if usesRemoteTime { placement.modificationTime = head.lastModified }
            return onDisk(partialBody(job, head, request, placement) ?? NamedFile(placement))
        case .objects(_, let naming):
            return uploaded(job, head, naming)
        case .tar, .warc:
            return archive.map { onDisk($0.body(of: job, head, request)) } ?? DiscardSink.shared
        }
    }

    private func uploaded(
        _ job: FetchJob,
        _ head: ResponseHead,
        _ naming: FileNaming
    ) -> any BodySink {
        guard let uploads else { return DiscardSink.shared }
        let contentType = head.firstValue(of: .contentType)
        return onDisk(
            UploadedBody(
                naming.name(for: job, contentType: contentType),
                in: uploads,
                folder: SpooledBody.temporaryFolder,
                contentType: contentType,
                taken: naming.mayCollide(for: job) ? (names, job.target.url) : nil
            )
        )
    }

    private func placement(
        for job: FetchJob,
        _ contentType: String?,
        in folder: String,
        _ naming: FileNaming
    ) -> FilePlacement {
        let replaced = naming.existing == .overwrite ? nil : job.earlier?.name
        let claim = claims.map { claims in
            BodyClaim(
                claims: claims,
                ordinal: job.ordinal,
                url: job.target.url,
                isNumbered: naming.existing == .number
            )
        }
        var placement = FilePlacement(
            folder: folder,
            name: replaced ?? naming.name(for: job, contentType: contentType),
            existing: replaced == nil ? naming.existing : .overwrite,
            claim: replaced == nil ? claim : nil,
            taken: replaced == nil && naming.mayCollide(for: job) ? (names, job.target.url) : nil
        )
        placement.protectedNames = protectedNames
        placement.temporaryName = mark.map { ".\($0)-\(job.ordinal).part" }
        return placement
    }

    /// The body of a response that resumes, or can be resumed.
    private func partialBody(
        _ job: FetchJob,
        _ head: ResponseHead,
        _ request: HTTPRequest,
        _ placement: FilePlacement
    ) -> PartialBody? {
        guard let partials, job.isResumable, !job.requestsWhole, request.method == .get
        else { return nil }
        if let segment = job.segment {
            let (file, range) = (segment.group.file, segment.range)
            return PartialBody(
                file.claim,
                file.record,
                at: range.lowerBound,
                placement,
                in: file,
                limit: Int64(range.count)
            )
        }
        if head.statusCode == 206 {
            guard let claim = job.partial, let record = claim.content else { return nil }
            return partialBody(job, claim, record, isAnyRange: true, placement)
        }
        guard let record = PartialRecord(of: head, answering: request, for: job),
            let claim = job.partial ?? partials.claim(job.target.url)
        else { return nil }
        let ranges = head.firstValue(of: .acceptRanges)?.lowercased()
        return partialBody(job, claim, record, isAnyRange: ranges == "bytes", placement)
    }

    /// - Parameter isAnyRange: Whether the server is known to support arbitrary ranges.
    private func partialBody(
        _ job: FetchJob,
        _ claim: PartialClaim,
        _ record: PartialRecord,
        isAnyRange: Bool,
        _ placement: FilePlacement
    ) -> PartialBody? {
        let pieces = job.pieces(of: record, claim.folder)
        guard let first = pieces.first else { return nil }
        let isDivided = isAnyRange && pieces.count > 1
        return PartialBody(
            claim,
            record,
            at: first.lowerBound,
            placement,
            in: isDivided ? SegmentedFile(claim, record, pieces, placement) : nil,
            limit: isDivided || record.ranges.count > 0 ? Int64(first.count) : nil
        )
    }

    /// Completes a group on a disk thread, which may block.
    func settle(_ group: SegmentGroup, _ done: @escaping @Sendable (SegmentGroup.MainEnd) -> Void) {
        disk?.submit {
            if let end = group.settle() { done(end) }
        }
    }

    /// Claims what an earlier run has left of a body. May block on the disk.
    func existingClaim(_ job: FetchJob) -> PartialClaim? {
        job.isResumable ? partials?.existingClaim(job.target.url) : nil
    }

    /// Deletes an incomplete body that can't be used.
    func discard(_ claim: PartialClaim) { partials?.discard(claim) }

    private func onDisk(_ body: any WrittenBody) -> any BodySink {
        disk.map { DiskSink(body, disk: $0) } ?? DiscardSink.shared
    }

    /// The result of a URL that isn't fetched: an existing file is kept, or the run is a dry run.
    ///
    /// May block on the disk.
    ///
    /// - Parameter isEnding: Whether the run is ending, so that no long file is read.
    func earlyResult(for job: FetchJob, isEnding: () -> Bool) -> BatchResult? {
        protectedResult(for: job) ?? existingResult(for: job, isEnding)
            ?? plan?.result(for: job, output)
    }

    private func protectedResult(for job: FetchJob) -> BatchResult? {
        guard !protectedNames.isEmpty, case .directory(_, let naming) = output.kind,
            naming.existing != .number, naming.isKnownEarly(for: job)
        else { return nil }
        let name = naming.name(for: job, contentType: nil).path
        return protectedNames.contains(name) ? job.failed(.ownFile(name)) : nil
    }

    private func existingResult(for job: FetchJob, _ isEnding: () -> Bool) -> BatchResult? {
        guard case .directory(let folder, let naming) = output.kind, naming.stopsEarly,
            naming.isKnownEarly(for: job), job.earlier == nil
        else { return nil }
        let names = naming.name(for: job, contentType: nil)
        guard
            let path = try? FilePlacement.place(
                "\(folder)/\(names.path)",
                else: "\(folder)/\(names.fallback)"
            ),
            (try? FileSystem.kind(of: path)) == .regular,
            claims?.isOwn(path, ordinal: job.ordinal) != true
        else { return nil }
        let belongsToAnotherURL = claims?.belongsToAnotherURL(path, url: job.target.url) ?? false
        let name = FilePlacement.name(of: path, in: folder)
        guard !belongsToAnotherURL,
            !naming.mayCollide(for: job) || !self.names.isForeign(name, for: job.target.url)
        else {
            return job.failed(.nameCollision(name))
        }
        guard naming.existing == .skip else { return job.failed(.existingFile(name)) }
        if let failure = job.mismatch(ofFile: path, isEnding) { return job.failed(failure) }
        var result = BatchResult(url: job.target.url, line: job.line, ordinal: job.ordinal)
        result.tag = job.target.details?.request.tag
        result.requestKey = job.key
        result.path = name
        result.isExisting = true
        return result
    }

    /// Why large bodies can't wait for the reader of the results, in words; `nil` if they can.
    func openStore() -> String? {
        guard case .stored = output.kind else { return nil }
        do throws(FileError) {
            try bodies.open()
            return nil
        } catch {
            return "\(error): bodies of more than 64 KiB fail, because they wait there for the "
                + "reader of the results; set TMPDIR to another folder"
        }
    }

    /// Cancels the uploads of bodies that aren't stored yet.
    func cancelUploads() { uploads?.cancel() }

    /// Begins to hold the results of archives that aren't stored.
    ///
    /// - Parameters:
    ///   - isIdle: Whether no body is expected soon.
    ///   - onEnd: Called when held results can be taken, or with the reason why they have failed.
    func holdResults(
        isIdle: @escaping @Sendable () -> Bool,
        onEnd: @escaping @Sendable (BatchFailure?) -> Void
    ) throws(SystemFailure) {
        try archive?.begin(isIdle: isIdle, onEnd: onEnd)
    }

    /// Holds the results of bodies that aren't safe, and returns all others.
    func release(adding results: [BatchResult]) -> [BatchResult] {
        archive?.release(adding: results) ?? results
    }

    /// Waits for pending writes and closes the output; returns the failure, if any.
    func end() -> BatchFailure? {
        disk?.stop()
        partials?.end()
        do throws(BatchFailure) {
            try archive?.end()
            return folder?.loss
        } catch {
            return error
        }
    }
}
