@testable import CurlTransport

extension ResponseHeadParser {
    /// Parses lines and returns the events that report something.
    mutating func take(_ lines: [[UInt8]]) throws(TransportError) -> [Event] {
        var events: [Event] = []
        for line in lines {
            let event = try receive(line.span)
            if case .none = event { continue }
            events.append(event)
        }
        return events
    }

    mutating func take(_ lines: [String]) throws(TransportError) -> [Event] {
        try take(lines.map { Array($0.utf8) })
    }
}

extension [ResponseHeadParser.Event] {
    var heads: [ResponseHead] {
        compactMap { if case .head(let head) = $0 { head } else { nil } }
    }

    var informationals: [ResponseHead] {
        compactMap { if case .informational(let head) = $0 { head } else { nil } }
    }

    var restarts: Int {
        count { if case .restarted = $0 { true } else { false } }
    }
}
