public import CurlURLSession
internal import Foundation

// Responses that Swift tasks read as they arrive.

extension URLSessionManager {
    /// Loads a request and returns its response when the head is received.
    ///
    /// The body is read as it arrives. If you don't need it, release the stream or cancel it. The
    /// handler of ``setDataTaskDidReceiveResponse(_:)`` is called first; if it doesn't allow the
    /// body, `URLError.cancelled` is thrown. Handlers and the notification report the end of the
    /// transfer as for any task, but without a body. A short response may be complete before it is
    /// found unacceptable; they then report a success. Retriers are called until there is a
    /// response.
    ///
    /// - Parameters:
    ///   - request: The request; its body may be a stream.
    ///   - serializer: The serializer that checks the response, but not its body. By default, all
    ///     media types and the status codes of the manager's ``responseSerializer`` are acceptable
    ///     (200 to 299 if it has none).
    ///   - uploadProgress: Called on ``operationQueue`` as the request's body is sent.
    /// - Throws: The transport's error, or the serializer's error, or a retrier's replacement for
    ///   it. The serializer's error contains the beginning of the body: at most the 64 KiB that
    ///   arrive within about 3 seconds.
    public func stream(
        for request: URLRequest,
        accepting serializer: HTTPResponseSerializer? = nil,
        uploadProgress: ProgressHandler? = nil
    ) async throws -> ResponseStream {
        try await stream(
            for: request,
            accepting: serializer,
            uploadProgress: uploadProgress,
            patience: .seconds(3)
        )
    }

    /// - Parameter patience: How long to wait for the body of an unacceptable response.
    func stream(
        for request: URLRequest,
        accepting serializer: HTTPResponseSerializer?,
        uploadProgress: ProgressHandler? = nil,
        patience: Duration
    ) async throws -> ResponseStream {
        let taskOptions = TaskOptions(uploadProgress: uploadProgress, isRead: true)
        let delegate = delegate(taskOptions, for: request)
        let session = session
        let task = core.created(session.readTask(with: request, delegate: delegate))
        let source = StreamSource(task, delegate)
        let response = try await source.head()
        if let handler = core.handler({ $0.dataTaskDidReceiveResponse }) {
            let disposition = await core.onOperationQueue {
                handler(session, source.task, response)
            }
            guard disposition == .allow else {
                throw source.refuse(because: URLError(.cancelled))
            }
        }
        let rules = serializer ?? rulesOfStreams
        try await source.admit(response, by: rules, patience: patience)
        return ResponseStream(response: response, source: source)
    }

    /// Connects to a stream of server-sent events.
    ///
    /// It returns when the head of the response is received.
    ///
    /// ```swift
    /// let events = try await manager.events(for: request, reconnection: .init())
    /// for try await event in events { print(event.event, event.data) }
    /// ```
    ///
    /// The response must have the status 200 and the media type `text/event-stream`. A response
    /// with 204 has no events. `Accept` and `Cache-Control` are set unless the request has them. If
    /// the server sends nothing for longer than the request's `timeoutInterval`, the connection
    /// counts as lost: the server must send comments, or the timeout must be longer.
    ///
    /// - Parameters:
    ///   - lastEventID: The last event ID of an earlier stream to continue; sent as
    ///     `Last-Event-ID`.
    ///   - reconnection: The rules for reconnecting when the stream ends or its connection is lost;
    ///     `nil`, the default, for never. Reconnections send the last event's ID. They stop when
    ///     the server responds with 204 or with something other than events, or after the maximum
    ///     number of attempts. The first connection isn't retried.
    ///   - maximumLength: The maximum length of a line, and of an event's data, in bytes.
    /// - Throws: The transport's error, or an error for an unacceptable response.
    public func events(
        for request: URLRequest,
        lastEventID: String = "",
        reconnection: ServerSentEventReconnection? = nil,
        maximumLength: Int = ResponseStream.defaultMaximumLength
    ) async throws -> ServerSentEvents {
        let connector = ServerSentEventConnector(
            manager: self,
            request: request,
            reconnection: reconnection
        )
        return ServerSentEvents(
            stream: try await connector.connect(lastEventID: lastEventID),
            connector: reconnection == nil ? nil : connector,
            lastEventID: lastEventID,
            maximumLength: maximumLength
        )
    }

    private var rulesOfStreams: HTTPResponseSerializer {
        let rules = HTTPResponseSerializer()
        if let own = responseSerializer as? HTTPResponseSerializer {
            rules.acceptableStatusCodes = own.acceptableStatusCodes
        }
        return rules
    }
}
