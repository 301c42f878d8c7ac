internal import Foundation
internal import Synchronization

// Deliveries on the delegate queue.

extension TaskCore {
    /// Delivers the next step on the delegate queue. Returns whether another one is due.
    ///
    /// - Parameter number: The number of the delivery when the task was scheduled.
    func deliverStep(scheduledAs number: Int) -> Bool {
        guard let step = state.withLock({ $0.nextStep(scheduledAs: number) }) else { return false }
        deliver(step)
        // The call may have changed the state.
        advance()
        return step.step != .completion
            && state.withLock { $0.continuesDelivery(scheduledAs: number) }
    }

    private func deliver(_ step: TaskStep) {
        switch step.step {
        case .waiting: notifyWaiting(step)
        case .informational: notifyInformational(step)
        case .question: ask(step)
        case .sentBytes: notifySentBytes(step)
        case .response: notifyResponse(step)
        case .conversion: notifyConversion(step)
        case .opening: notifyOpening(step)
        case .closing: notifyClosing(step)
        case .writeClosing: notifyWriteClosing(step)
        case .readClosing: notifyReadClosing(step)
        case .capture: notifyCapture(step)
        case .bytes: notifyBytes(step)
        case .proposal: ask(aboutProposal: step)
        case .disposition: askForDisposition(step)
        case .file: notifyFile(step)
        case .metrics: notifyMetrics(step)
        case .completion: notifyCompletion()
        }
    }

    private func notifyWaiting(_ step: TaskStep) {
        step.delegates.task?.urlSession(step.session, taskIsWaitingForConnectivity: step.task)
    }

    private func notifySentBytes(_ step: TaskStep) {
        let counts = state.withLock { state in
            defer { state.counts.sentReported = state.counts.sent }
            return state.counts
        }
        guard counts.sent > counts.sentReported else { return }
        step.delegates.task?.urlSession(
            step.session,
            task: step.task,
            didSendBodyData: counts.sent - counts.sentReported,
            totalBytesSent: counts.sent,
            totalBytesExpectedToSend: counts.expectedToSend
        )
    }

    private func notifyResponse(_ step: TaskStep) {
        guard let response = state.withLock({ $0.exchange.response() }),
            let delegate = step.delegates.data,
            let task = step.task as? URLSessionDataTask
        else { return answer(to: step.number, .allow) }
        // A delegate may keep this closure. It only holds the task's core, which releases the
        // delegate at the end.
        delegate.urlSession(step.session, dataTask: task, didReceive: response) {
            [self, number = step.number] in
            answer(to: number, $0)
        }
        watchTimeout(step)
    }

    private func notifyConversion(_ step: TaskStep) {
        guard let former = state.withLock({ $0.kind.download?.former.take() }),
            let download = step.task as? URLSessionDownloadTask
        else { return }
        step.delegates.data?.urlSession(step.session, dataTask: former, didBecome: download)
    }

    private func notifyBytes(_ step: TaskStep) {
        guard !state.withLock({ $0.kind.isDownload }) else { return notifyProgress(step) }
        if let collector = step.delegates.collector { return notifyCollected(step, collector) }
        let data = state.withLock { state in
            // A Swift task that awaits the body gets all of it at the end.
            state.consumer.isAwaited
                ? state.exchange.buffer.takeUnreported() : state.exchange.buffer.take()
        }
        if !data.isEmpty, let task = step.task as? URLSessionDataTask {
            step.delegates.data?.urlSession(step.session, dataTask: task, didReceive: data)
        }
        state.withLock { $0.reopenWindow() }
    }

    private func notifyCollected(_ step: TaskStep, _ collector: any URLSessionBodyCollector) {
        let range = state.withLock { $0.exchange.buffer.report() }
        if !range.isEmpty, let task = step.task as? URLSessionDataTask {
            collector.urlSession(
                step.session,
                dataTask: task,
                didCollect: { state.withLock { $0.exchange.buffer.copy(of: range) } }
            )
        }
        state.withLock { $0.reopenWindow() }
    }

    private func notifyProgress(_ step: TaskStep) {
        let progress = state.withLock { state in
            state.kind.download?.takeProgress(expected: state.counts.expectedToReceive)
        }
        guard let progress, let delegate = step.delegates.download,
            let task = step.task as? URLSessionDownloadTask
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

    /// Delivers the file to the delegate. Handlers get it with the completion.
    private func notifyFile(_ step: TaskStep) {
        let (file, isDelegates) = state.withLock {
            ($0.kind.download?.file, $0.consumer.isDelegate)
        }
        guard let file, isDelegates else { return }
        if let task = step.task as? URLSessionDownloadTask {
            step.delegates.download?.urlSession(
                step.session,
                downloadTask: task,
                didFinishDownloadingTo: file.url
            )
        }
        // Does nothing if the delegate has moved the file.
        try? FileManager.default.removeItem(at: file.url)
    }

    private func notifyMetrics(_ step: TaskStep) {
        guard let delegate = step.delegates.task else { return }
        let settings = step.session.core.settings
        let (transactions, created, redirectCount) = state.withLock { state in
            (state.exchange.transactions.list, state.clock.created, state.exchange.redirectCount)
        }
        let metrics = URLSessionTaskMetrics(
            transactionMetrics: transactions.map { $0.metrics(settings: settings) },
            taskInterval: DateInterval(start: created, end: max(created, Date())),
            redirectCount: redirectCount
        )
        delegate.urlSession(step.session, task: step.task, didFinishCollecting: metrics)
    }

    private func notifyCompletion() {
        let (handlers, resumeData) = state.withLock { $0.interruption.takeHandlers() }
        deliverResumeData(resumeData, to: handlers, nil)
        let (response, error, data, remains) = state.withLock { state in
            let data = state.consumer.isDataHandler ? state.exchange.buffer.take() : Data()
            return (state.exchange.response(), state.error, data, state.close())
        }
        guard let remains else { return }
        release(remains)
        switch remains.consumer {
        case .delegate:
            guard let session = remains.session, let task = remains.task else { return }
            remains.delegates.task?.urlSession(session, task: task, didCompleteWithError: error)
        case .dataHandler(let handler):
            handler(error == nil ? data : nil, response, error)
        case .fileHandler(let handler):
            let file = error == nil ? remains.file : nil
            handler(file?.url, response, error)
            if let file { try? FileManager.default.removeItem(at: file.url) }
        case .stream:
            guard let session = remains.session, let task = remains.task else { return }
            remains.ownDelegate.observer?.task(task, of: session, wasLoadedWith: error)
        case .awaited:
            break
        }
    }
}

/// One delivery on the delegate queue, and its delegates.
struct TaskStep: Sendable {
    let step: TaskDelivery.Step
    /// The number of the question, if the step is one.
    let number: Int
    let session: URLSession
    let task: URLSessionTask
    let delegates: TaskDelegates
}
