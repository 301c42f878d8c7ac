internal import HTTPTypes

@testable internal import CurlTransport
@testable internal import HTTPSemantics

/// Parses response heads line by line, as libcurl delivers them.
func parseHead(_ bytes: [UInt8]) {
    var parser = ResponseHeadParser(allowsRestart: bytes.count % 2 == 0)
    for line in bytes.split(separator: 10, omittingEmptySubsequences: false) {
        let line = Array(line) + [10]
        do throws(TransportError) {
            switch try parser.receive(line.span) {
            case .head(let head), .informational(let head): read(head)
            case .none, .restarted: break
            }
        } catch {
            expect(error.code == .internal, equals: false, "the parser's own defect: \(error)")
            break
        }
    }
    _ = parser.trailerFields
}

private func read(_ head: ResponseHead) {
    let fields = head.headerFields
    _ = (head.status, head.httpVersion, head.mayHaveBody, head.isMultiplexed)
    _ = try? head.framing.length
    if let length = head.framing.announcedLength {
        expect(length >= 0, equals: true, "a negative length")
    }
    for field in fields { _ = (field.name.canonicalName, field.value) }
    _ = fields[.location]
}

/// Parses WebSocket frames, in one piece and in several.
func parseWebSocket(_ bytes: [UInt8]) {
    let size = bytes.first.map { $0 % 2 == 0 ? Int.max : 1000 } ?? 1000
    expect(events([bytes], size), equals: events(pieces(bytes), size), "frames in pieces")
}

private func events(_ pieces: [[UInt8]], _ size: Int) -> [String] {
    var reader = WebSocketReader(maximumMessageSize: size)
    var found: [WebSocketEvent] = []
    var end = ""
    for piece in pieces {
        do throws(WebSocketViolation) {
            try reader.receive(piece.span, into: &found)
        } catch {
            end = "\(error)"
            break
        }
    }
    return found.map { "\($0)" } + [end]
}

/// Parses both kinds of `Content-Range`.
func parseRanges(_ bytes: [UInt8]) {
    for line in lines(bytes) {
        guard let range = ContentRange(line) else { continue }
        expect(range.range.lowerBound >= 0, equals: true, "a range that begins below zero")
        expect(range.range.isEmpty, equals: false, "an empty range")
        if let length = range.length {
            expect(range.range.upperBound <= length, equals: true, "a range beyond the length")
        }
    }
    _ = ContentRange(lines: lines(bytes))
}
