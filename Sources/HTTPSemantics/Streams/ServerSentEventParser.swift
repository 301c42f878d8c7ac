/// Parses lines into server-sent events (WHATWG HTML, 9.2.6).
///
/// It is a pure value: lines in, events out.
package struct ServerSentEventParser: Sendable {
    /// An error for an event whose data exceeds the limit in bytes.
    package struct EventTooLong: Error, Equatable {
        package let limit: Int

        package init(limit: Int) {
            self.limit = limit
        }
    }

    /// An event of the stream.
    package struct Event: Sendable, Hashable {
        /// `message` if the server names none.
        package let type: String
        /// Lines are separated by line feeds.
        package let data: String
        /// The last event ID of the stream at this event.
        package let id: String
        /// The `retry` field of this event, if it has one.
        package let retry: Duration?
    }

    private let limit: Int
    private var type = ""
    private var data: [UInt8] = []
    private var hasData = false
    private var nextID: String
    private var nextRetry: Duration?
    /// The `Last-Event-ID` to send when reconnecting.
    package private(set) var lastEventID: String
    /// The reconnection time that the server requested; `nil` for none.
    package private(set) var reconnectionTime: Duration?

    /// - Parameters:
    ///   - limit: The maximum length of an event's data in bytes.
    ///   - lastEventID: The last event ID of an earlier stream.
    package init(limit: Int, lastEventID: String = "") {
        self.limit = limit
        self.lastEventID = lastEventID
        nextID = lastEventID
    }

    /// Parses a line without its end, and returns a completed event.
    package mutating func take(_ line: [UInt8]) throws(EventTooLong) -> Event? {
        guard !line.isEmpty else { return dispatch() }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        // Skips a comment.
        guard colon > line.startIndex else { return nil }
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        try set(String(decoding: line[..<colon], as: UTF8.self), value)
        return nil
    }

    /// Discards an incomplete event, and keeps the last event ID.
    ///
    /// Call it at the end of a connection.
    package mutating func restart() {
        nextID = lastEventID
        forgetEvent()
    }

    private mutating func set(
        _ field: String,
        _ value: ArraySlice<UInt8>
    ) throws(EventTooLong) {
        switch field {
        case "event":
            type = String(decoding: value, as: UTF8.self)
        case "data":
            if hasData { data.append(UInt8(ascii: "\n")) }
            hasData = true
            data += value
            guard data.count <= limit else { throw EventTooLong(limit: limit) }
        case "id":
            if !value.contains(0) { nextID = String(decoding: value, as: UTF8.self) }
        case "retry":
            guard let time = Self.milliseconds(value) else { return }
            (reconnectionTime, nextRetry) = (time, time)
        default:
            break
        }
    }

    private mutating func dispatch() -> Event? {
        lastEventID = nextID
        defer { forgetEvent() }
        // An event with empty data is dispatched; an event without data isn't.
        guard hasData else { return nil }
        return Event(
            type: type.isEmpty ? "message" : type,
            data: String(decoding: data, as: UTF8.self),
            id: lastEventID,
            retry: nextRetry
        )
    }

    private mutating func forgetEvent() {
        (type, data, hasData, nextRetry) = ("", [], false, nil)
    }

    /// Parses digits only.
    ///
    /// The maximum, also for numbers that overflow, is a day.
    private static func milliseconds(_ value: ArraySlice<UInt8>) -> Duration? {
        guard !value.isEmpty, value.allSatisfy(\.isASCIIDigit) else { return nil }
        let most = 86_400_000
        let count = Int(String(decoding: value, as: UTF8.self)) ?? most
        return .milliseconds(min(count, most))
    }
}
