internal import Curl
internal import CurlURLSession
internal import Foundation

// What of a download goes where, and in which order: at no moment may what is written down say more than
// what is on the disk.

extension JournalCore {
    /// Opens the file for what isn't there yet, and cuts it to what counts. True if that is all.
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
                url,
                durableSize: job.bytes,
                synchronizationFailure: configuration.synchronizationFailure
            )
            return state.part?.size ?? 0
        }
        let count = job.usableBytes(of: size)
        let isWhole = count == job.expectedBytes
        if count == 0, !isWhole { (job.validator, job.expectedBytes) = (nil, nil) }
        try transfer.change { try $0.part?.cut(to: count) }
        job.bytes = count
        job.boot = KernelStart.identifier
        if !isWhole { job.attempts += 1 }
        try record(job, .recordAttempt)
        transfer.change { state in
            state.job = job
            (state.rest, state.end) = (nil, nil)
        }
        guard !isWhole else { return true }
        if count > 0, let validator = job.validator {
            let rest = DownloadDecision.Rest(
                offset: count,
                validator: validator,
                total: job.expectedBytes
            )
            transfer.change { $0.rest = rest }
        }
        return false
    }

    /// Without leave to replace it, a file that is there already is a failure before anything is loaded.
    static func checkDestination(_ job: TransferJob) throws {
        guard !job.options.contains(.removePreviousFile),
            try FileSystem.identity(of: job.file.path) != nil
        else { return }
        throw TransferJobFailure(
            "There is a file “\(job.file.path)” already. Remove it, or add the job with the option "
                + "removePreviousFile.",
            code: Int(FileError.existingFile)
        )
    }

    // MARK: - What comes

    /// Decides what a response means. False where its content isn't wanted.
    func transfer(_ transfer: JournalTransfer, didReceive response: URLResponse) -> Bool {
        guard isActive(transfer) else { return false }
        guard let response = response as? HTTPURLResponse else {
            stop(transfer, TransferJobFailure("The answer isn't one of HTTP."))
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
        case .goOn(let total):
            transfer.change { state in
                state.job.expectedBytes = total
                state.end = facts.range?.end.map { $0 + 1 }
            }
            return true
        case .beginAnew:
            return beginAnew(transfer, facts)
        case .isComplete:
            transfer.stop(.isWhole)
        case .askForAll:
            transfer.stop(.askForAll)
        case .fail(let failure):
            stop(transfer, failure, facts.retryAfter)
        }
        return false
    }

    /// What there was goes before by what the new content is known is written down: the other way round,
    /// old bytes could be taken for new ones.
    private func beginAnew(_ transfer: JournalTransfer, _ facts: ResponseFacts) -> Bool {
        do {
            step(.emptyPart, transfer.job)
            try transfer.change { try $0.part?.cut(to: 0) }
            let job = transfer.change { state in
                (state.job.bytes, state.job.boot) = (0, KernelStart.identifier)
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
            let isMuch = try transfer.change { state in
                try state.part?.append(data)
                return (state.part?.pendingSize ?? 0) >= configuration.durableInterval
            }
            if isMuch { try recordBytes(of: transfer) }
        } catch {
            stop(transfer, TransferJobFailure(journal: error))
        }
    }

    /// More comes than there is: what has come isn't what was told of. All is asked for, once.
    func dropLongBody(of transfer: JournalTransfer) {
        let wasRest = transfer.change { state in
            (state.job.validator, state.job.expectedBytes) = (nil, nil)
            return state.rest != nil
        }
        guard !wasRest else { return transfer.stop(.askForAll) }
        let failure = TransferJobFailure(
            "The response is longer than it has said.",
            isTransient: true
        )
        stop(transfer, failure)
    }

    /// Of a response to an upload, so many bytes are kept.
    private static let keptResponse = 64 << 10

    /// Makes durable what there is, and writes that down.
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
            // What was written down before counts otherwise; the file was cut to that.
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
        let verdict = JournalTransfer.Verdict.failed(failure, retryAfter: retryAfter)
        if cancels {
            transfer.stop(verdict)
        } else {
            transfer.change { if $0.verdict == nil { $0.verdict = verdict } }
        }
    }

    // MARK: - Where it goes

    /// Moves a whole body to its destination: durable first, then told of, then moved, then the end.
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
            // The body stays where it is, to be moved when the job goes on.
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

    /// Goes on with a move that the program's end has interrupted. False where the file is gone, and has to
    /// be loaded again.
    func settle(_ transfer: JournalTransfer) throws -> Bool {
        let job = transfer.job
        let part = try job.partFile.flatMap { try FileSystem.identity(of: $0.path) }
        let there = try FileSystem.identity(of: job.file.path)
        switch (part, there) {
        case (let part?, let there?) where part == there:
            // It has both names: the second step was missing.
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
    /// Where the file couldn't be made durable, what was durable before is all that counts: not what the file
    /// has, though the system is the same.
    mutating func noteLoss() {
        guard part?.failure != nil else { return }
        (job.bytes, job.boot) = (part?.durableSize ?? 0, "")
    }

    /// The file can't become longer than that.
    fileprivate var greatestSize: Int64 { min(end ?? .max, job.expectedBytes ?? .max) }

    /// Whether what comes is part of the answer that counts.
    fileprivate var takesBytes: Bool {
        switch verdict {
        case nil: true
        // What a server says of a failed upload.
        case .failed: job.kind == .upload
        default: false
        }
    }
}
