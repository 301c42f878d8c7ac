public import CurlURLSession
internal import Foundation

// Responses that are read as they come, by Swift tasks.

extension URLSessionManager {
    /// Loads a request and returns its response as soon as the head is there, with the body to be read as
    /// it comes.
    ///
    /// Whoever doesn't want the body lets go of the stream, or cancels it. The handler of
    /// ``setDataTaskDidReceiveResponse(_:)`` is asked before that; if it doesn't allow the body,
    /// `URLError.cancelled` is thrown. The end of the transfer is told to the handlers and by the
    /// notification as of all tasks, without a body. A short response may have come whole before it is
    /// found unacceptable: there it is told as a success then. Retriers are asked as long as there is no
    /// response.
    ///
    /// - Parameters:
    ///   - request: Whose body may be a stream.
    ///   - serializer: By whose rules the response is checked; the body isn't for it. Without one, the
    ///     status codes of the manager's ``responseSerializer`` are acceptable (200 to 299 if it has none)
    ///     and all media types.
    ///   - uploadProgress: Called on ``operationQueue`` as the request's body is sent.
    /// - Throws: The transport's error, or the serializer's, which has the beginning of the body: up to
    ///   64 KiB, as far as they come within some 3 seconds; or what a retrier tells in the place of either.
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

    /// - Parameter patience: For how long what a server says in refusal is waited for.
    func stream(
        for request: URLRequest,
        accepting serializer: HTTPResponseSerializer?,
        uploadProgress: ProgressHandler? = nil,
        patience: Duration
    ) async throws -> ResponseStream {
        let delegate = delegate(TaskWishes(uploadProgress: uploadProgress, isRead: true))
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

    /// Connects with a stream of server-sent events, and returns when its head is there.
    ///
    /// ```swift
    /// let events = try await manager.events(for: request, reconnection: .init())
    /// for try await event in events { print(event.event, event.data) }
    /// ```
    ///
    /// The response has to have the status 200 and the media type `text/event-stream`; with 204, there are
    /// no events. `Accept` and `Cache-Control` are set unless the request has them. A server that is silent
    /// for longer than the request's `timeoutInterval` has lost its connection: servers send comments, or
    /// the limit has to be longer.
    ///
    /// - Parameters:
    ///   - lastEventID: Of an earlier stream that this one goes on with; sent as `Last-Event-ID`.
    ///   - reconnection: Has it connected with again when it ends or its connection is lost, with the last
    ///     event's ID, until the server answers with 204 or something else than events, or the attempts
    ///     run out. By default it isn't. The first connection is tried once.
    ///   - maximumLength: How many bytes a line, and an event's data, may have.
    /// - Throws: The transport's error, or that the response isn't what it should be.
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
