/// Makes events of lines, as the WHATWG's HTML standard says (9.2.6): a pure value, lines in, events out.
struct ServerSentEventParser: Sendable {
    /// An event's data is longer than it may be.
    struct EventTooLong: Error, Equatable {
        let limit: Int
    }

    private let limit: Int
    private var type = ""
    private var data: [UInt8] = []
    private var hasData = false
    private var nextID: String
    private var nextRetry: Duration?
    /// What the server is told when it is connected with again.
    private(set) var lastEventID: String
    /// How long the server wants clients to wait before they connect again; `nil` if it hasn't said.
    private(set) var reconnectionTime: Duration?

    /// - Parameters:
    ///   - limit: How many bytes an event's data may have.
    ///   - lastEventID: Of what came before.
    init(limit: Int, lastEventID: String = "") {
        self.limit = limit
        self.lastEventID = lastEventID
        nextID = lastEventID
    }

    /// Takes a line, without its end. Answers the event that it completes.
    mutating func take(_ line: [UInt8]) throws(EventTooLong) -> ServerSentEvent? {
        guard !line.isEmpty else { return dispatch() }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        // A comment.
        guard colon > line.startIndex else { return nil }
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        try set(String(decoding: line[..<colon], as: UTF8.self), value)
        return nil
    }

    /// The stream has ended: what isn't complete is dropped, and what is known for the next one is kept.
    mutating func restart() {
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

    private mutating func dispatch() -> ServerSentEvent? {
        lastEventID = nextID
        defer { forgetEvent() }
        // Empty data is data too; none is none.
        guard hasData else { return nil }
        return ServerSentEvent(
            event: type.isEmpty ? "message" : type,
            data: String(decoding: data, as: UTF8.self),
            id: lastEventID,
            retry: nextRetry
        )
    }

    private mutating func forgetEvent() {
        (type, data, hasData, nextRetry) = ("", [], false, nil)
    }

    /// Digits alone; more than can be counted is a day.
    private static func milliseconds(_ value: ArraySlice<UInt8>) -> Duration? {
        guard !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let most = 86_400_000
        let count = Int(String(decoding: value, as: UTF8.self)) ?? most
        return .milliseconds(min(count, most))
    }
}
