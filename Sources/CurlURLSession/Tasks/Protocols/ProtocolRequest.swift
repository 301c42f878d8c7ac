internal import Foundation

/// The request that a protocol class is asked about or created for.
enum ProtocolRequest {
    private struct Subject: Sendable {
        let task: URLSessionTask
        let request: URLRequest
    }

    /// The request and task of the current call to a protocol class.
    ///
    /// The overridable methods take the task, whose own request differs: it lacks the session's
    /// header fields, for example.
    @TaskLocal private static var subject: Subject?

    /// Runs `act` with `request` as the current request of `task`.
    static func with<Result>(
        _ request: URLRequest,
        of task: URLSessionTask,
        _ act: () -> Result
    ) -> Result {
        $subject.withValue(Subject(task: task, request: request), operation: act)
    }

    /// Returns the current request of a task. Outside of ``with(_:of:_:)``, the task's own.
    static func current(of task: URLSessionTask) -> URLRequest? {
        if let subject, subject.task === task { return subject.request }
        return task.currentRequest
    }

    /// The request of a task that was created without one.
    static let none = URLRequest(
        state: RequestState(
            url: nil,
            cachePolicy: .useProtocolCachePolicy,
            timeoutInterval: RequestTimeout.standard
        )
    )

    /// Returns a load's request as sent, but without cookies and credentials.
    static func make(_ loadRequest: LoadRequest, settings: SessionSettings) -> URLRequest {
        var request = loadRequest.request
        if !settings.additionalFields.lines.isEmpty {
            request.state.headerFields = settings.fields(for: request)
        }
        switch loadRequest.body {
        case .data(let data): request.httpBody = data
        case .file(let url): request.httpBodyStream = InputStream(url: url)
        case .fileRest(let url, let offset):
            let stream = InputStream(url: url)
            _ = stream?.setProperty(NSNumber(value: offset), forKey: .fileCurrentOffsetKey)
            request.httpBodyStream = stream
        case .stream(let stream): request.httpBodyStream = stream.stream
        case .none, .sequence, .asked: break
        }
        return request
    }

    /// Adds a stream that reads a body in memory.
    static func withBodyStream(_ request: URLRequest) -> URLRequest {
        guard let data = request.httpBody else { return request }
        var request = request
        request.state.properties = request.state.properties.setting(
            bodyStream: InputStream(data: data)
        )
        return request
    }
}
