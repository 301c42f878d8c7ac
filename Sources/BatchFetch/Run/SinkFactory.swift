import Curl
import CurlTransport
import HTTPTypes

/// Makes the sinks that the configuration asks for.
struct SinkFactory: Sendable {
    private let output: BatchOutput
    private let disk: DiskThreads?
    private let archive: (any BodyArchive)?
    /// Where a journal keeps them, and files that are there have to stay.
    private let claims: BodyClaims?
    /// Where parts of bodies are kept.
    private let partials: PartialFolder?
    private let names: TakenNames
    /// Names below the output folder that are no body's.
    private let spared: Set<String>
    /// Of a journal's runs: what their unfinished files are called by.
    private let mark: String?
    private let isStandardOutputTaken = StandardOutputBody.IsTaken()
    /// Set where nothing is fetched.
    let plan: NamePlan?

    /// Makes the output folder and starts the disk threads, where they are needed.
    ///
    /// - Parameters:
    ///   - journal: Of the run that the sinks are for.
    ///   - earlier: What is not fetched again.
    ///   - spared: Files that no body replaces.
    ///   - keepsParts: Whether bodies that break off are gone on with.
    ///   - segments: In how many pieces at once a big one is fetched.
    init(
        _ output: BatchOutput,
        journal: BatchJournal? = nil,
        after earlier: EarlierResults? = nil,
        sparing spared: [String] = [],
        keepsParts: Bool = false,
        segments: Int = 1
    ) throws(BatchFailure) {
        self.output = output
        plan = nil
        mark = journal?.mark
        let going = journal.map { $0.isNew ? [] : [$0.resultsPath] } ?? []
        names = TakenNames(after: (earlier?.paths ?? []) + going, in: output.namingFolder ?? "")
        claims = output.keepsExisting ? try journal?.claims() : nil
        switch output.kind {
        case .discard, .memory, .inspected:
            disk = nil
            archive = nil
            partials = nil
            self.spared = []
            return
        case .standardOutput:
            archive = nil
            self.spared = []
        case .directory(let path, _):
            try Self.makeFolder(path)
            archive = nil
            self.spared = Self.names(of: spared + (journal?.ownFiles ?? []), below: path)
        case .tar(let folder, let limit):
            try Self.makeFolder(folder)
            archive = TarArchive(folder: folder, limit: limit)
            self.spared = []
        case .warc(let folder, let limit):
            try Self.makeFolder(folder)
            archive = try WARCArchive(folder: folder, limit: limit)
            self.spared = []
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

    /// Makes nothing, and no sinks: says where bodies would go.
    init(
        planning output: BatchOutput,
        after earlier: [String] = [],
        sparing spared: [String] = []
    ) {
        self.output = output
        mark = nil
        names = TakenNames(after: earlier, in: output.namingFolder ?? "")
        self.spared = output.namingFolder.map { Self.names(of: spared, below: $0) } ?? []
        plan = NamePlan(names)
        disk = nil
        archive = nil
        claims = nil
        partials = nil
    }

    private static func names(of files: [String], below folder: String) -> Set<String> {
        Set(files.flatMap { FileSystem.names(of: $0, below: folder) })
    }

    static func makeFolder(_ path: String) throws(BatchFailure) {
        do throws(FileError) {
            try FileSystem.makeDirectory(path)
        } catch {
            throw BatchFailure(
                .output,
                "\(error): name a folder that exists or can be made"
            )
        }
    }

    /// Where the body of this response goes; `nil` for nowhere.
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
        case .inspected(let inspector):
            return InspectorSink(inspector(job.target))
        // What isn't asked for is no body, and nothing is replaced by it.
        case .directory where request.method == .head, .tar where request.method == .head,
            .standardOutput where request.method == .head:
            return nil
        case .standardOutput:
            let folder = ProcessEnvironment.value(of: "TMPDIR") ?? "/tmp"
            return onDisk(StandardOutputBody(folder: folder, isTaken: isStandardOutputTaken))
        case .directory(let path, let naming):
            let isKnown = naming.isKnownEarly(for: job)
            let contentType = isKnown ? nil : head.firstValue(of: .contentType)
            let placement = placement(for: job, contentType, in: path, naming)
            return onDisk(parted(job, head, request, placement) ?? NamedFile(placement))
        case .tar(let folder, _), .warc(let folder, _):
            return archived(job, head, request, folder: folder)
        }
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
        placement.spared = spared
        placement.temporaryName = mark.map { ".\($0)-\(job.ordinal).part" }
        return placement
    }

    /// A body that may be kept in part, or of which a part is there.
    private func parted(
        _ job: FetchJob,
        _ head: ResponseHead,
        _ request: HTTPRequest,
        _ placement: FilePlacement
    ) -> PartialBody? {
        guard let partials, job.mayBeParted, !job.asksForWhole, request.method == .get
        else { return nil }
        if let segment = job.segment {
            let (group, range) = (segment.group, segment.range)
            return PartialBody(
                group.claim,
                group.record,
                at: range.lowerBound,
                placement,
                in: group,
                limit: Int64(range.count)
            )
        }
        if head.statusCode == 206 {
            guard let claim = job.partial, let record = claim.content else { return nil }
            return parted(job, claim, record, isAnyRange: true, placement)
        }
        guard let record = PartialRecord(of: head, answering: request, for: job),
            let claim = job.partial ?? partials.claim(job.target.url)
        else { return nil }
        let ranges = head.firstValue(of: .acceptRanges)?.lowercased()
        return parted(job, claim, record, isAnyRange: ranges == "bytes", placement)
    }

    /// - Parameter isAnyRange: Whether the server is known to send any part that it is asked for.
    private func parted(
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
            in: isDivided ? SegmentGroup(claim, record, pieces, placement) : nil,
            limit: isDivided || record.ranges.count > 0 ? Int64(first.count) : nil
        )
    }

    /// Does on a disk thread what may wait for the disk.
    func settle(_ group: SegmentGroup, _ done: @escaping @Sendable (SegmentGroup.MainEnd) -> Void) {
        disk?.submit {
            if let end = group.settle() { done(end) }
        }
    }

    /// What an earlier run has left of a body. It may wait for the disk.
    func recall(_ job: FetchJob) -> PartialClaim? {
        job.mayBeParted ? partials?.recall(job.target.url) : nil
    }

    /// Throws away a part that is of no use.
    func discard(_ claim: PartialClaim) { partials?.discard(claim) }

    private func onDisk(_ body: any DiskBody) -> any BodySink {
        disk.map { DiskSink(body, disk: $0) } ?? DiscardSink.shared
    }

    private func archived(
        _ job: FetchJob,
        _ head: ResponseHead,
        _ request: HTTPRequest,
        folder: String
    ) -> any BodySink {
        guard let archive else { return DiscardSink.shared }
        let response = ArchivedResponse(
            job: job,
            request: request,
            head: head,
            moment: WallClock.microsecondsSince1970
        )
        return onDisk(
            ArchivedBody(
                response,
                in: archive,
                folder: folder,
                digestingWith: output.keepsTransferred
                    ? WARCExchange.responseHead(head, answering: request) : nil,
                limit: (300..<400).contains(head.statusCode) ? FetchAttempt.redirectContent : nil
            )
        )
    }

    /// What needs no fetching, because there is a file of its name and those are to stay, or because
    /// nothing is fetched: its result. It may wait for the disk.
    ///
    /// - Parameter isEnding: Whether the run ends, so that no long file is to be read.
    func earlyResult(for job: FetchJob, isEnding: () -> Bool) -> BatchResult? {
        sparedResult(for: job) ?? existingResult(for: job, isEnding)
            ?? plan?.result(for: job, output)
    }

    private func sparedResult(for job: FetchJob) -> BatchResult? {
        guard !spared.isEmpty, case .directory(_, let naming) = output.kind,
            naming.existing != .number, naming.isKnownEarly(for: job)
        else { return nil }
        let name = naming.name(for: job, contentType: nil).path
        return spared.contains(name) ? job.failed(.ownFile(name)) : nil
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
        let isAnothers = claims?.isAnothers(path, url: job.target.url) ?? false
        let name = String(path.dropFirst(folder.count + 1))
        guard !isAnothers,
            !naming.mayCollide(for: job) || !self.names.isForeign(name, for: job.target.url)
        else {
            return job.failed(.nameCollision(name))
        }
        guard naming.existing == .skip else { return job.failed(.existingFile(name)) }
        if let failure = job.mismatch(ofFile: path, isEnding) { return job.failed(failure) }
        var result = BatchResult(url: job.target.url, line: job.line, ordinal: job.ordinal)
        result.tag = job.target.details?.request.tag
        result.path = name
        result.isExisting = true
        return result
    }

    /// Waits for what is being written, and closes it; what went wrong, if anything did.
    func end() -> BatchFailure? {
        disk?.stop()
        partials?.end()
        do throws(BatchFailure) {
            try archive?.close()
            return nil
        } catch {
            return error
        }
    }
}
