internal import CurlURLSession
internal import Foundation
internal import HTTPSemantics
internal import Posix

// How a download's bytes and its record reach the disk, and in which order. At no moment may the
// record claim more than the disk holds.

extension JournalCore {
    /// Opens the part file and truncates it to the bytes that count. Returns true if the body is
    /// complete.
    func openPart(of transfer: JournalTransfer) throws -> Bool {
        var job = transfer.job
        guard let url = job.partFile else { throw TransferJobFailure("The job has no file.") }
        step(.openPart, job)
        try Self.checkDestination(job)
        if job.options.contains(.createIntermediateDirectories) {
            try FileSystem.makeParent(of: job.file.path) { path throws(FileError) in
                try FileSystem.synchronizeName(path)
            }
        }
        let size = try transfer.change { state in
            state.part = try PartFile(
                url.path,
                durableSize: job.bytes,
                synchronizationFailure: configuration.synchronizationFailure
            )
            return state.part?.size ?? 0
        }
        let count = job.usableBytes(of: size)
        let isWhole = count == job.expectedBytes
        if count == 0, !isWhole { (job.validator, job.expectedBytes) = (nil, nil) }
        try transfer.change { try $0.part?.truncateDurably(to: count) }
        job.bytes = count
        job.boot = SystemBoot.identifier
        if !isWhole { job.attempts += 1 }
        try record(job, .recordAttempt)
        transfer.change { state in
            state.job = job
            (state.rest, state.end) = (nil, nil)
        }
        guard !isWhole else { return true }
        if count > 0, let validator = job.validator {
            let rest = RangeRequest(
                from: count,
                length: job.expectedBytes,
                validator: StrongValidator(fieldValue: validator)
            )
            transfer.change { $0.rest = rest }
        }
        return false
    }

    /// Throws if the destination exists and may not be replaced. Nothing is loaded before that.
    static func checkDestination(_ job: TransferJob) throws {
        guard !job.options.contains(.removePreviousFile),
            try FileSystem.identity(of: job.file.path) != nil
        else { return }
        throw TransferJobFailure(
            "The destination “\(job.file.path)” exists already. Remove that file, or add the job with "
                + "the option removePreviousFile.",
            code: Int(FileError.existingFile)
        )
    }

    // MARK: - Response and body

    /// Decides what a response means. Returns false if its body isn't wanted.
    func transfer(_ transfer: JournalTransfer, didReceive response: URLResponse) -> Bool {
        guard isActive(transfer) else { return false }
        guard let response = response as? HTTPURLResponse else {
            stop(transfer, TransferJobFailure("The response isn't an HTTP response."))
            return false
        }
        let facts = ResponseFacts(response)
        transfer.change { $0.job.statusCode = facts.status }
        guard transfer.job.kind == .download else {
            transfer.change { $0.job.responseData = Data() }
            let isSuccess = (200..<300).contains(facts.status)
            if !isSuccess { stop(transfer, facts.failure, facts.retryAfter, cancels: false) }
            return true
        }
        switch DownloadDecision(facts, askedFor: transfer.change { $0.rest }) {
        case .resume(let end, let total):
            transfer.change { state in
                state.job.expectedBytes = total
                state.end = end
            }
            return true
        case .restart:
            return restart(transfer, facts)
        case .isComplete:
            transfer.stop(.isComplete)
        case .requestWholeContent:
            transfer.stop(.requestWholeContent)
        case .fail(let failure):
            stop(transfer, failure, facts.retryAfter)
        }
        return false
    }

    /// Restarts a download with the content of a new response. Empties the part file before it
    /// records the new validator: in the other order, old bytes could be taken for new ones.
    private func restart(_ transfer: JournalTransfer, _ facts: ResponseFacts) -> Bool {
        do {
            step(.emptyPart, transfer.job)
            try transfer.change { try $0.part?.truncateDurably(to: 0) }
            let job = transfer.change { state in
                (state.job.bytes, state.job.boot) = (0, SystemBoot.identifier)
                state.job.validator = facts.validator
                state.job.entityTag = facts.entityTag
                state.job.lastModified = facts.lastModified
                state.job.expectedBytes = facts.length
                (state.rest, state.end) = (nil, facts.length)
                return state.job
            }
            try record(job, .recordResponse)
            return true
        } catch {
            stop(transfer, TransferJobFailure(journal: error))
            return false
        }
    }

    func transfer(_ transfer: JournalTransfer, didReceive data: Data) {
        guard isActive(transfer), transfer.change({ $0.takesBytes }) else { return }
        guard transfer.job.kind == .download else {
            return transfer.change { state in
                let kept = state.job.responseData ?? Data()
                state.job.responseData = kept + data.prefix(Self.keptResponse - kept.count)
            }
        }
        let fits = transfer.change { ($0.part?.size ?? 0) <= $0.greatestSize - Int64(data.count) }
        guard fits else { return dropLongBody(of: transfer) }
        do {
            step(.writeBytes, transfer.job)
            let isIntervalReached = try transfer.change { state in
                try state.part?.append(data.span)
                return (state.part?.pendingSize ?? 0) >= configuration.durableInterval
            }
            if isIntervalReached { try recordBytes(of: transfer) }
        } catch {
            stop(transfer, TransferJobFailure(journal: error))
        }
    }

    /// Discards a body that is longer than announced: it isn't the announced content. A resumed
    /// download requests the whole content, once; otherwise the attempt fails.
    func dropLongBody(of transfer: JournalTransfer) {
        let requestedRange = transfer.change { state in
            (state.job.validator, state.job.expectedBytes) = (nil, nil)
            return state.rest != nil
        }
        guard !requestedRange else { return transfer.stop(.requestWholeContent) }
        let failure = TransferJobFailure(
            "The response body is longer than the announced length.",
            isTransient: true
        )
        stop(transfer, failure)
    }

    /// How many bytes of the response to an upload are kept.
    private static let keptResponse = 64 << 10

    /// Makes the part file durable, then records its size.
    func recordBytes(of transfer: JournalTransfer) throws {
        let hasNew = transfer.change { ($0.part?.pendingSize ?? 0) > 0 }
        guard hasNew else { return }
        do {
            try transfer.change { try $0.part?.synchronize() }
        } catch {
            let job = transfer.change { state in
                state.noteLoss()
                return state.job
            }
            // If this fails, the previous record applies: the file was truncated to the size in
            // that record.
            try? record(job, .recordBytes)
            throw error
        }
        let job = transfer.change { state in
            state.job.bytes = state.part?.size ?? state.job.bytes
            return state.job
        }
        try record(job, .recordBytes)
    }

    private func stop(
        _ transfer: JournalTransfer,
        _ failure: TransferJobFailure,
        _ retryAfter: TimeInterval? = nil,
        cancels: Bool = true
    ) {
        let stopReason = JournalTransfer.StopReason.failed(failure, retryAfter: retryAfter)
        if cancels {
            transfer.stop(stopReason)
        } else {
            transfer.change { if $0.stopReason == nil { $0.stopReason = stopReason } }
        }
    }

    // MARK: - Destination

    /// Moves a complete body to its destination: makes it durable, records the move, renames the
    /// file, and records the end, in this order.
    func move(_ transfer: JournalTransfer) throws {
        step(.synchronizePart, transfer.job)
        try transfer.change { try $0.part?.synchronize() }
        let identity = try transfer.change { try $0.part?.identity() }
        let job = transfer.change { state in
            state.job.bytes = state.part?.size ?? state.job.bytes
            state.job.expectedBytes = state.job.bytes
            state.job.state = .moving
            state.job.moved = identity
            state.part = nil
            return state.job
        }
        try record(job, .recordMove)
        try place(transfer)
    }

    private func place(_ transfer: JournalTransfer) throws {
        let job = transfer.job
        guard let part = job.partFile?.path else { return }
        step(.move, job)
        do {
            if job.options.contains(.removePreviousFile) {
                try FileSystem.rename(part, to: job.file.path)
            } else {
                try FileSystem.renameExclusively(part, to: job.file.path)
            }
        } catch {
            // The body stays in the part file, and is moved when the job resumes.
            transfer.change { $0.job.state = .waiting }
            throw error
        }
        try confirm(transfer)
    }

    private func confirm(_ transfer: JournalTransfer) throws {
        step(.synchronizeName, transfer.job)
        try FileSystem.synchronizeName(transfer.job.file.path)
        finish(transfer)
    }

    /// Continues a move that the end of the program interrupted. Returns false if the file is gone
    /// and has to be downloaded again.
    func settle(_ transfer: JournalTransfer) throws -> Bool {
        let job = transfer.job
        let part = try job.partFile.flatMap { try FileSystem.identity(of: $0.path) }
        let there = try FileSystem.identity(of: job.file.path)
        switch (part, there) {
        case (let part?, let there?) where part == there:
            // The file has both names: the program ended between `link` and `unlink`.
            if let path = job.partFile?.path { try FileSystem.remove(path) }
            try confirm(transfer)
            return true
        case (nil, let there?) where there == job.moved:
            try confirm(transfer)
            return true
        case (_?, _):
            try place(transfer)
            return true
        case (nil, _):
            transfer.change { state in
                (state.job.state, state.job.bytes, state.job.moved) = (.waiting, 0, nil)
                (state.job.validator, state.job.expectedBytes) = (nil, nil)
            }
            return false
        }
    }
}

extension JournalTransfer.State {
    /// Discards the bytes that a failed synchronization has lost. Only the bytes that were durable
    /// before count, not the file's size, although the system hasn't restarted since.
    mutating func noteLoss() {
        guard part?.failure != nil else { return }
        (job.bytes, job.boot) = (part?.durableSize ?? 0, "")
    }

    /// The size that the file can't exceed.
    fileprivate var greatestSize: Int64 { min(end ?? .max, job.expectedBytes ?? .max) }

    /// Whether incoming bytes belong to the response that counts.
    fileprivate var takesBytes: Bool {
        switch stopReason {
        case nil: true
        // The body of an error response to an upload.
        case .failed: job.kind == .upload
        default: false
        }
    }
}
