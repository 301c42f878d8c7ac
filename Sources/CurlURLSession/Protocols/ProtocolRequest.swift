internal import Foundation

/// The request that a protocol is asked about or made for.
enum ProtocolRequest {
    private struct Subject: Sendable {
        let task: URLSessionTask
        let request: URLRequest
    }

    /// What is loaded while a class is asked about a task, or an object is made for it: methods that a
    /// subclass may override take the task, and the task's own request isn't quite the same.
    @TaskLocal private static var subject: Subject?

    /// Does something that asks for a task's request, and finds `request`.
    static func with<Result>(
        _ request: URLRequest,
        of task: URLSessionTask,
        _ act: () -> Result
    ) -> Result {
        $subject.withValue(Subject(task: task, request: request), operation: act)
    }

    /// What is loaded for a task, whichever other one is thought of at the moment.
    static func current(of task: URLSessionTask) -> URLRequest? {
        if let subject, subject.task === task { return subject.request }
        return task.currentRequest
    }

    /// What a task has that was made without a request.
    static let none = URLRequest(
        state: RequestState(
            url: nil,
            cachePolicy: .useProtocolCachePolicy,
            timeoutInterval: RequestTimeout.standard
        )
    )

    /// A plan's request, with all that is sent along with it but cookies and credentials.
    static func make(_ plan: LoadPlan, settings: SessionSettings) -> URLRequest {
        var request = plan.request
        if !settings.additionalFields.lines.isEmpty {
            request.state.headerFields = settings.fields(for: request)
        }
        switch plan.body {
        case .data(let data): request.httpBody = data
        case .file(let url): request.httpBodyStream = InputStream(url: url)
        case .fileRest(let url, let offset):
            let stream = InputStream(url: url)
            _ = stream?.setProperty(NSNumber(value: offset), forKey: .fileCurrentOffsetKey)
            request.httpBodyStream = stream
        case .stream(let stream): request.httpBodyStream = stream.stream
        case .none, .asked: break
        }
        return request
    }

    /// With a stream that reads the body, where that is in memory.
    static func withBodyStream(_ request: URLRequest) -> URLRequest {
        guard let data = request.httpBody else { return request }
        var request = request
        request.state.properties = request.state.properties.setting(
            bodyStream: InputStream(data: data)
        )
        return request
    }
}
