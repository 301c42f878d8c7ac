/// One of the events that a server sends as `text/event-stream`
/// (<https://html.spec.whatwg.org/multipage/server-sent-events.html>).
public struct ServerSentEvent: Sendable, Hashable {
    /// The event's type; `message` where the server names none.
    public let event: String
    /// What it says; several lines with a line feed between them.
    public let data: String
    /// The last event ID that the stream has named by then, which may be an earlier event's; empty
    /// without one.
    public let id: String
    /// How long the server wants clients to wait before they connect again, if this event says so.
    public let retry: Duration?

    /// Creates an event.
    public init(event: String = "message", data: String, id: String = "", retry: Duration? = nil) {
        self.event = event
        self.data = data
        self.id = id
        self.retry = retry
    }
}
