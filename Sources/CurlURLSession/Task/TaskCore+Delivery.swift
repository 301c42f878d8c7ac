internal import Foundation
internal import Synchronization

// What is told on the delegate queue.

extension TaskCore {
    /// As much is told before other tasks of the session have their turn.
    private static let share = 16

    /// Tells what there is, on the delegate queue. True if there is more, and the task stays in line.
    func deliver() -> Bool {
        for _ in 0..<Self.share {
            guard let step = state.withLock({ $0.nextStep() }) else { return false }
            tell(step)
            // What was told may have changed something.
            advance()
            if step.step == .completion { return false }
        }
        return true
    }

    private func tell(_ step: TaskStep) {
        switch step.step {
        case .waiting: tellWaiting(step)
        case .informational: tellInformational(step)
        case .question: ask(step)
        case .sentBytes: tellSentBytes(step)
        case .response: tellResponse(step)
        case .conversion: tellConversion(step)
        case .opening: tellOpening(step)
        case .closing: tellClosing(step)
        case .writeClosing: tellWriteClosing(step)
        case .readClosing: tellReadClosing(step)
        case .capture: tellCapture(step)
        case .bytes: tellBytes(step)
        case .proposal: ask(aboutProposal: step)
        case .verdict: askForVerdict(step)
        case .file: tellFile(step)
        case .metrics: tellMetrics(step)
        case .completion: tellCompletion()
        }
    }

    private func tellWaiting(_ step: TaskStep) {
        step.recipients.task?.urlSession(step.session, taskIsWaitingForConnectivity: step.task)
    }

    private func tellSentBytes(_ step: TaskStep) {
        let counts = state.withLock { state in
            defer { state.counts.sentToldOf = state.counts.sent }
            return state.counts
        }
        guard counts.sent > counts.sentToldOf else { return }
        step.recipients.task?.urlSession(
            step.session,
            task: step.task,
            didSendBodyData: counts.sent - counts.sentToldOf,
            totalBytesSent: counts.sent,
            totalBytesExpectedToSend: counts.expectedToSend
        )
    }

    private func tellResponse(_ step: TaskStep) {
        guard let response = state.withLock({ $0.response() }), let delegate = step.recipients.data,
            let task = step.task as? URLSessionDataTask
        else { return answer(to: step.number, .allow) }
        // A delegate may keep what answers: that knows the task alone, which lets go of the delegate.
        delegate.urlSession(step.session, dataTask: task, didReceive: response) {
            [self, number = step.number] in
            answer(to: number, $0)
        }
        watchTimeLimit(step)
    }

    private func tellConversion(_ step: TaskStep) {
        guard let former = state.withLock({ $0.former.take() }),
            let download = step.task as? URLSessionDownloadTask
        else { return }
        step.recipients.data?.urlSession(step.session, dataTask: former, didBecome: download)
    }

    private func tellBytes(_ step: TaskStep) {
        guard state.withLock({ $0.kind }) != .download else { return tellProgress(step) }
        let data = state.withLock { $0.takeReceived() }
        if !data.isEmpty, let task = step.task as? URLSessionDataTask {
            step.recipients.data?.urlSession(step.session, dataTask: task, didReceive: data)
        }
        state.withLock { $0.reopenWindow() }
    }

    private func tellProgress(_ step: TaskStep) {
        guard let progress = state.withLock({ $0.takeProgress() }),
            let delegate = step.recipients.download, let task = step.task as? URLSessionDownloadTask
        else { return }
        if let offset = progress.resumedAt {
            delegate.urlSession(
                step.session,
                downloadTask: task,
                didResumeAtOffset: offset,
                expectedTotalBytes: progress.expected
            )
        }
        guard progress.written > 0 else { return }
        delegate.urlSession(
            step.session,
            downloadTask: task,
            didWriteData: progress.written,
            totalBytesWritten: progress.total,
            totalBytesExpectedToWrite: progress.expected
        )
    }

    /// For the delegate alone; handlers are given the file with the completion.
    private func tellFile(_ step: TaskStep) {
        let (file, isDelegates) = state.withLock { ($0.file, $0.consumer.isDelegate) }
        guard let file, isDelegates else { return }
        if let task = step.task as? URLSessionDownloadTask {
            step.recipients.download?.urlSession(
                step.session,
                downloadTask: task,
                didFinishDownloadingTo: file.url
            )
        }
        // Unless it was moved.
        try? FileManager.default.removeItem(at: file.url)
    }

    private func tellMetrics(_ step: TaskStep) {
        guard let delegate = step.recipients.task else { return }
        let settings = step.session.core.settings
        let (transactions, created, redirectCount) = state.withLock { state in
            (state.transactions, state.created, state.redirectCount)
        }
        let metrics = URLSessionTaskMetrics(
            transactionMetrics: transactions.map { $0.metrics(settings: settings) },
            taskInterval: DateInterval(start: created, end: max(created, Date())),
            redirectCount: redirectCount
        )
        delegate.urlSession(step.session, task: step.task, didFinishCollecting: metrics)
    }

    private func tellCompletion() {
        let (handlers, resumeData) = state.withLock { $0.interruption.takeHandlers() }
        handOver(resumeData, to: handlers, nil)
        let (response, error, data, remains) = state.withLock { state in
            let data = state.consumer.isDataHandler ? state.takeReceived() : Data()
            return (state.response(), state.error, data, state.close())
        }
        guard let remains else { return }
        letGo(of: remains)
        switch remains.consumer {
        case .delegate:
            guard let session = remains.session, let task = remains.task else { return }
            remains.recipients.task?.urlSession(session, task: task, didCompleteWithError: error)
        case .dataHandler(let handler):
            handler(error == nil ? data : nil, response, error)
        case .fileHandler(let handler):
            let file = error == nil ? remains.file : nil
            handler(file?.url, response, error)
            if let file { try? FileManager.default.removeItem(at: file.url) }
        case .stream:
            guard let session = remains.session, let task = remains.task else { return }
            (remains.delegate as? any URLSessionTaskObserver)?
                .task(task, of: session, wasLoadedWith: error)
        case .awaited:
            break
        }
    }
}
