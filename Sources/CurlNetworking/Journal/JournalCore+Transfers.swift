internal import CurlURLSession
internal import Dispatch
internal import Foundation
internal import Posix

// How jobs are started, and retried after a failure.

extension JournalCore {
    /// Starts queued jobs up to the concurrency limit.
    func startNext() {
        // A job may complete while it is started: the loop that is running then starts the next
        // one.
        guard change({ $0.mayStart }) else { return }
        change { $0.isStarting = true }
        while let sequence = change({ $0.takeNext(limit: configuration.maximumConcurrentTransfers) }
        ) {
            do {
                guard let job = try stored({ try $0.job(sequence) }) else {
                    change { _ = $0.known.remove(sequence) }
                    continue
                }
                let transfer = JournalTransfer(job, self)
                change { $0.begin(transfer) }
                start(transfer)
            } catch {
                giveUp(sequence, because: error)
            }
        }
        change { $0.isStarting = false }
        notifyIfIdle()
    }

    /// Fails a job whose record can't be read. Waiting callers get the error. Handlers get the job
    /// as it was when they were attached.
    private func giveUp(_ sequence: Int, because error: any Error) {
        let waiters = change { $0.waiters.removeValue(forKey: sequence) }
        for waiter in waiters ?? [] { waiter.resume(throwing: error) }
        guard var job = change({ $0.attachedJob(sequence) }) else {
            return change { state in
                _ = state.takeAudience(sequence)
                state.endDelivery()
                state.unreadable[sequence] = error
            }
        }
        job.state = .failed
        job.failure = TransferJobFailure(journal: error)
        change { [job] in $0.unrecorded[sequence] = job }
        deliver(job)
    }

    /// Starts an attempt.
    func start(_ transfer: JournalTransfer) {
        transfer.change { ($0.stopReason, $0.task) = (nil, nil) }
        let (sequence, bytes) = (transfer.sequence, transfer.job.bytes)
        change { $0.mostBytes[sequence] = max($0.mostBytes[sequence] ?? 0, bytes) }
        do {
            if transfer.job.state == .moving {
                if try settle(transfer) { return }
            }
            switch transfer.job.kind {
            case .download:
                if try openPart(of: transfer) { return try move(transfer) }
            case .upload:
                let job = transfer.change { state in
                    state.job.attempts += 1
                    return state.job
                }
                try record(job, .recordAttempt)
            }
        } catch {
            return fail(transfer, TransferJobFailure(journal: error), retryAfter: nil)
        }
        prepare(transfer)
    }

    /// Prepares the request, off the journal's queue.
    private func prepare(_ transfer: JournalTransfer) {
        let (job, rest) = transfer.change { ($0.job, $0.rest) }
        let original = change { $0.requests[transfer.sequence] }
        Task { [self] in
            do {
                let request = try await request(for: job, original, asking: rest)
                queue.async { [self] in begin(transfer, request) }
            } catch {
                let failure = TransferJobFailure(error)
                queue.async { [self] in
                    guard isActive(transfer) else { return }
                    fail(transfer, failure, retryAfter: nil)
                }
            }
        }
    }

    private func begin(_ transfer: JournalTransfer, _ request: PreparedRequest) {
        guard isActive(transfer) else { return }
        let job = transfer.job
        transfer.change { $0.request = request.hasOwn ? request.whole : nil }
        let task: URLSessionTask =
            switch job.kind {
            case .download:
                manager.session.dataTask(with: request.plain, delegate: transfer)
            case .upload:
                manager.session.uploadTask(
                    with: request.plain,
                    fromFile: job.file,
                    delegate: transfer
                )
            }
        task.taskDescription = job.id
        transfer.change { $0.task = task }
        task.resume()
    }

    /// Whether the transfer is still the current one of its job.
    func isActive(_ transfer: JournalTransfer) -> Bool {
        change { $0.active[transfer.sequence] === transfer }
    }

    // MARK: - Completion

    func transfer(_ transfer: JournalTransfer, didCompleteWith error: (any Error)?) {
        guard isActive(transfer) else { return }
        switch transfer.change({ $0.stopReason }) {
        case .isComplete:
            moveOrFail(transfer)
        case .requestWholeContent:
            transfer.change { state in
                (state.job.validator, state.job.expectedBytes) = (nil, nil)
            }
            start(transfer)
        case .failed(let failure, let retryAfter):
            fail(transfer, failure, retryAfter: retryAfter)
        case .dropped:
            break
        case nil:
            if let error {
                fail(transfer, TransferJobFailure(error), retryAfter: nil)
            } else {
                succeed(transfer)
            }
        }
    }

    private func succeed(_ transfer: JournalTransfer) {
        guard transfer.job.kind == .download else { return finish(transfer) }
        let (size, expected, isOpenPart) = transfer.change { state in
            let size = state.part?.size ?? 0
            let expected = max(state.end ?? 0, state.job.expectedBytes ?? state.end ?? size)
            return (size, expected, state.rest != nil && state.job.expectedBytes == nil)
        }
        if isOpenPart, size == expected { return failOpenPart(transfer, size) }
        guard size != expected else { return moveOrFail(transfer) }
        if size > expected {
            transfer.change { ($0.job.validator, $0.job.expectedBytes) = (nil, nil) }
        }
        fail(
            transfer,
            TransferJobFailure(
                "The response ended after \(size) of \(expected) bytes.",
                isTransient: true
            ),
            retryAfter: nil
        )
    }

    /// `bytes 600-999/*` doesn't say whether more bytes follow (RFC 9110, 14.4). The next attempt
    /// requests them; the status 416 confirms the end.
    private func failOpenPart(_ transfer: JournalTransfer, _ size: Int64) {
        let failure = TransferJobFailure(
            "The response ended after \(size) bytes, and the server didn't announce the content's length.",
            isTransient: true
        )
        fail(transfer, failure, retryAfter: nil)
    }

    private func moveOrFail(_ transfer: JournalTransfer) {
        do {
            try move(transfer)
        } catch {
            fail(transfer, TransferJobFailure(journal: error), retryAfter: nil)
        }
    }

    /// Ends a job as finished.
    func finish(_ transfer: JournalTransfer) {
        let job = transfer.change { state in
            (state.job.state, state.job.failure) = (.finished, nil)
            (state.job.validator, state.job.moved) = (nil, nil)
            return state.job
        }
        end(job)
    }

    /// Handles the failure of an attempt: retries the job if that may help, otherwise ends it as
    /// failed.
    func fail(_ transfer: JournalTransfer, _ failure: TransferJobFailure, retryAfter: TimeInterval?)
    {
        try? recordBytes(of: transfer)
        let job = transfer.change { state in
            state.noteLoss()
            state.part = nil
            state.job.failure = failure
            return state.job
        }
        let (hasMore, failures) = change { $0.noteFailedAttempt(of: job) }
        if failure.isTransient, hasMore || failures < configuration.maximumAttempts {
            retry(
                job,
                after: configuration.delay(afterFailures: failures, retryAfter: retryAfter)
            )
        } else {
            var job = job
            job.state = .failed
            end(job)
        }
    }

    private func retry(_ job: TransferJob, after delay: TimeInterval) {
        // If recording fails, the previous record applies. The job is retried anyway.
        try? record(job, .recordBytes)
        let sequence = job.sequence
        change { $0.delay(sequence) }
        queue.asyncAfter(deadline: .now() + delay) { [weak self] in
            guard let self, change({ $0.delayed.remove(sequence) }) != nil else { return }
            change { $0.waiting.append(sequence) }
            startNext()
        }
        startNext()
    }

    /// Ends a job that is finished or has failed.
    private func end(_ job: TransferJob) {
        var job = job
        do {
            try record(job, .recordEnd)
        } catch {
            // After a restart of the program, the job runs once more.
            if job.state == .finished { job.state = .failed }
            job.failure = TransferJobFailure(journal: error)
            change { [job] in $0.unrecorded[job.sequence] = job }
        }
        deliver(job)
        startNext()
    }
}

extension TransferJobFailure {
    /// A failure of the disk or of the journal itself.
    init(journal error: any Error) {
        switch error {
        case let failure as TransferJobFailure:
            self = failure
        case let error as FileError:
            self.init(
                "The journal \(error). Received bytes are kept. Fix the cause, then resume the job with "
                    + "resume(_:).",
                code: Int(error.errno)
            )
        default:
            self.init(error, isTransient: false)
        }
    }
}
