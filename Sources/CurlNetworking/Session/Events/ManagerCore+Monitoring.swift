internal import CurlURLSession
internal import Foundation

// Reports events to monitors, and posts AFNetworking's notifications.

extension ManagerCore {
    /// Reports an event to the monitors. Without monitors, the event isn't created.
    func notify(_ event: @autoclosure () -> SessionEvent) {
        monitors?.notify(event())
    }

    /// Posts the notification of an event, and reports it to the monitors.
    func post(_ event: SessionEvent) {
        NotificationMonitor(mainQueue: mainQueue).receive(event)
        notify(event)
    }

    /// Reports a new task to monitors, and returns it.
    func created<Made: URLSessionTask>(_ task: Made) -> Made {
        notify(.didCreate(task))
        return task
    }

    // MARK: Events with handlers

    /// Reports an event to the monitors, and calls the manager's handler for it.
    func report(_ event: SessionEvent) {
        notify(event)
        switch event {
        case .didSendBodyData(let session, let task, let count, let total, let expected):
            guard let handler = handler({ $0.taskDidSendBodyData }) else { return }
            handler(session, task, count, total, task.announcedLength(ifUnknown: expected))
        case .didFinishCollectingMetrics(let session, let task, let metrics):
            handler { $0.taskDidCollectMetrics }?(session, task, metrics)
        case .didCompleteTransfer(let session, let task, let error):
            handler { $0.taskDidComplete }?(session, task, error)
        case .didBecomeDownload(let session, let task, let download):
            handler { $0.dataTaskDidBecomeDownload }?(session, task, download)
        case .didWriteData(let session, let task, let count, let total, let expected):
            handler { $0.downloadDidWriteData }?(session, task, count, total, expected)
        case .didResumeDownload(let session, let task, let offset, let expected):
            handler { $0.downloadDidResume }?(session, task, offset, expected)
        default:
            // Handlers for other events have answers, or don't exist.
            break
        }
    }

    /// Reports a piece of a body to the monitors that want it, and to the manager's handler.
    ///
    /// - Parameter piece: Copies the piece; called only if it is wanted.
    func reportData(
        _ session: URLSession,
        _ task: URLSessionDataTask,
        _ piece: () -> Data
    ) {
        let isMonitored = monitors?.wantsData ?? false
        let handler = handler { $0.dataTaskDidReceiveData }
        guard isMonitored || handler != nil else { return }
        let data = piece()
        if isMonitored { notify(.didReceiveData(session, task, data: data)) }
        handler?(session, task, data)
    }
}

extension URLSessionTask {
    /// The length of the request's body, or its header field's if it is unknown (-1).
    fileprivate func announcedLength(ifUnknown length: Int64) -> Int64 {
        guard length == -1 else { return length }
        let announced = originalRequest?.value(forHTTPHeaderField: "Content-Length")
        return announced.flatMap { Int64($0) } ?? -1
    }
}
