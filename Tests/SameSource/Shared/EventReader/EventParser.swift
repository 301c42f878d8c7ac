import Foundation

/// Parses a stream of events in pieces of any size (HTML, 9.2.6).
struct EventParser: Sendable {
    private var line: [UInt8] = []
    private var endedWithReturn = false
    private var type = ""
    private var data: [String] = []
    private var nextID = ""
    /// The ID of the last complete event.
    private(set) var lastID = ""
    /// The reconnection time in milliseconds, once the server has set it.
    private(set) var retry: Int?

    /// Returns the events that these bytes complete.
    mutating func add(_ bytes: Data) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            let isSecondHalf = endedWithReturn && byte == UInt8(ascii: "\n")
            endedWithReturn = byte == UInt8(ascii: "\r")
            if isSecondHalf { continue }
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                if let event = endLine() { events.append(event) }
            } else {
                line.append(byte)
            }
        }
        return events
    }

    /// Drops the incomplete event of a connection that has ended.
    mutating func restart() {
        self = EventParser(lastID: lastID, retry: retry)
    }

    init() {}

    private init(lastID: String, retry: Int?) {
        (self.lastID, nextID) = (lastID, lastID)
        self.retry = retry
    }

    private mutating func endLine() -> ServerSentEvent? {
        defer { line = [] }
        guard !line.isEmpty else { return endEvent() }
        let text = String(decoding: line, as: UTF8.self)
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count > 1 ? parts[1] : ""
        add(field: String(parts[0]), String(value.hasPrefix(" ") ? value.dropFirst() : value))
        return nil
    }

    private mutating func add(field: String, _ value: String) {
        switch field {
        case "event": type = value
        case "data": data.append(value)
        case "id": nextID = value
        case "retry": retry = Int(value) ?? retry
        default: break
        }
    }

    private mutating func endEvent() -> ServerSentEvent? {
        defer { (type, data) = ("", []) }
        lastID = nextID
        guard !data.isEmpty else { return nil }
        return ServerSentEvent(
            type: type.isEmpty ? "message" : type,
            data: data.joined(separator: "\n"),
            id: lastID
        )
    }
}
