internal import HTTPSemantics

/// A line of libcurl's trace about one HTTP/2 stream.
///
/// The form is that of `CURL_TRC_CF` in libcurl's `lib/http2.c`, since 8.3:
///
///     [HTTP/2] [1] <- FRAME[DATA, len=1024, eos=1, padlen=0]
///     [HTTP/2] [1] CLOSED
///     [HTTP/2] [0] MAX_CONCURRENT_STREAMS: 100
enum StreamTrace: Hashable {
    /// A frame with END_STREAM has been received.
    case ended(UInt32)
    /// RST_STREAM with `NO_ERROR` has been received.
    case reset(UInt32)
    /// Another frame has been received.
    case frame(UInt32)
    /// The stream was closed without an error.
    ///
    /// The handle of the stream's own transfer reports this. Frames are reported by the handle that
    /// reads the connection.
    case closed(UInt32)
    /// The server limits the concurrent streams of the connection. The highest number is no limit.
    case limit(Int)

    /// Parses a line. Nil for every other line.
    init?(_ line: Span<UInt8>) {
        guard line.begins(with: Self.http2), let (id, start) = Self.stream(line) else { return nil }
        let rest = line.extracting(start..<line.count)
        if rest.begins(with: "CLOSED") {
            self = .closed(id)
        } else if rest.begins(with: "<- FRAME[RST_STREAM") {
            self = rest.contains(" error=0]") ? .reset(id) : .frame(id)
        } else if rest.begins(with: "<- FRAME[") {
            self = rest.contains(" eos=1") ? .ended(id) : .frame(id)
        } else if rest.begins(with: Self.limitName),
            let number = Self.number(rest.extracting(Self.limitName.utf8.count..<rest.count))
        {
            self = .limit(number)
        } else {
            return nil
        }
    }

    private static let limitName = "MAX_CONCURRENT_STREAMS: "

    /// The number at the beginning of `text`. Some versions write -1 if there is no limit.
    private static func number(_ text: Span<UInt8>) -> Int? {
        guard !text.isEmpty else { return nil }
        if text[0] == UInt8(ascii: "-") { return .max }
        var number: Int?
        for index in text.indices {
            guard text[index].isASCIIDigit, (number ?? 0) < 1 << 32 else { break }
            number = (number ?? 0) * 10 + Int(text[index] & 15)
        }
        return number
    }

    fileprivate static let http2 = "[HTTP/2] "
    fileprivate static let http3 = "[HTTP/3] "

    /// Whether the stream trace caused `line`, which may repeat fields with their values.
    static func isTrace(_ line: Span<UInt8>) -> Bool {
        guard line.begins(with: http2) || line.begins(with: http3) else { return false }
        guard let (_, start) = stream(line) else { return true }
        // Every verbose handle reports these: the fields of the request, and its URL.
        let rest = line.extracting(start..<line.count)
        return !rest.begins(with: "[") && !rest.begins(with: "OPENED ")
    }

    /// Whether a line of libcurl's log or trace says that the server refused the request's stream
    /// (RFC 9113, section 8.7), or requires HTTP/1.1 instead.
    ///
    /// If the stream isn't the first one of its connection, libcurl writes only one line about it:
    /// 8.23 to the log, and 8.3 to the trace.
    static func isRefusal(_ line: Span<UInt8>) -> Bool {
        if line.begins(with: "REFUSED_STREAM") || line.begins(with: "Downgrades to HTTP/1.1") {
            return true
        }
        if line.begins(with: "HTTP/2 stream ") { return line.contains(" refused by server") }
        // Other lines of the trace contain the server's text, such as the reason of a GOAWAY frame.
        guard line.begins(with: http2), let (_, start) = stream(line) else { return false }
        return line.extracting(start..<line.count).begins(with: "REFUSED_STREAM")
    }

    /// The number of the line's stream, and the position after it.
    fileprivate static func stream(_ line: Span<UInt8>) -> (id: UInt32, start: Int)? {
        guard line.count > 10, line[9] == UInt8(ascii: "[") else { return nil }
        var index = 10
        var id: UInt32 = 0
        while index < line.count, line[index].isASCIIDigit, id < 1 << 28 {
            id = id * 10 + UInt32(line[index] & 15)
            index += 1
        }
        guard index > 10, index + 1 < line.count, line[index] == UInt8(ascii: "]"),
            line[index + 1] == ASCII.space
        else { return nil }
        return (id, index + 2)
    }
}

/// A line of libcurl's trace about the handle's HTTP/3 stream.
///
/// The form is that of `CURL_TRC_CF` in libcurl's `lib/vquic`, with OpenSSL's QUIC; the last line
/// is that of ngtcp2:
///
///     [HTTP/3] [0] header: server: nginx
///     [HTTP/3] [0] end_headers, status=200
///     [HTTP/3] [0] h3_quic_recv -> RESET, rv=0, app_err=256
///     [HTTP/3] [0] reset -> 0
enum HTTP3Trace: Hashable {
    case field
    /// The response head has ended. Informational heads don't count.
    case headEnded
    /// The server has reset the stream.
    case reset

    /// Parses a line. Nil for every other line.
    init?(_ line: Span<UInt8>) {
        guard line.begins(with: StreamTrace.http3), let (_, start) = StreamTrace.stream(line) else {
            return nil
        }
        let rest = line.extracting(start..<line.count)
        if rest.begins(with: "header: ") {
            self = .field
        } else if rest.begins(with: "end_headers, status=1") {
            return nil
        } else if rest.begins(with: "end_headers, ") {
            self = .headEnded
        } else if rest.begins(with: "h3_quic_recv -> RESET") || rest.begins(with: "reset -> ") {
            self = .reset
        } else {
            return nil
        }
    }
}

/// What libcurl's trace shows about the stream of one attempt's response.
struct TracedStream {
    /// Whether the server reset the stream without an error before the end of the response.
    private(set) var isReset = false
    /// Whether libcurl has parsed the end of an HTTP/3 response head, and then fields: trailers.
    private var hasHead = false
    private(set) var hasTrailers = false

    mutating func note(_ trace: HTTP3Trace) {
        switch trace {
        case .field: if hasHead { hasTrailers = true }
        case .headEnded: hasHead = true
        case .reset: isReset = true
        }
    }

    /// Records that the trace of the HTTP/2 connection shows a reset within the response.
    mutating func noteReset() {
        isReset = true
    }
}

extension Span<UInt8> {
    fileprivate func begins(with text: String) -> Bool {
        matches(text, at: 0)
    }

    fileprivate func contains(_ text: String) -> Bool {
        indices.contains { matches(text, at: $0) }
    }

    private func matches(_ text: String, at start: Int) -> Bool {
        let text = text.utf8.span
        guard start + text.count <= count else { return false }
        for index in text.indices where self[start + index] != text[index] { return false }
        return true
    }
}
