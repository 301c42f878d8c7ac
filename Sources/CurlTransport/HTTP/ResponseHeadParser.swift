package import HTTPTypes
internal import Posix

/// Parses the lines from libcurl's header callback into response heads.
///
/// libcurl delivers one line at a time, with its line end, for every response of an exchange:
/// informational ones, those of its own authentication rounds, the final one, and the trailers
/// after the body, which have neither a status line nor a blank line. It delivers the continuation
/// of a folded field as a separate line. Source:
/// <https://curl.se/libcurl/c/CURLOPT_HEADERFUNCTION.html>.
///
/// A pure value, without transfer or clock. A head's bytes are stored unchanged in one buffer; no
/// strings are created. After a failure, every further line fails, too.
package struct ResponseHeadParser: Sendable {
    /// The effect of a line.
    package enum Event: Sendable {
        /// No event.
        case none
        /// An informational head (1xx) is complete.
        case informational(ResponseHead)
        /// The final head is complete; the body, if any, follows.
        case head(ResponseHead)
        /// libcurl has repeated the request after a final head, for authentication.
        ///
        /// The previous head is invalid, and another one follows.
        case restarted
    }

    private enum State: Sendable {
        case beforeStatusLine
        case inHead
        case afterFinalHead
    }

    /// The maximum number of informational heads of one transfer. More indicate a hostile server.
    package static let maximumInformationalCount = 100

    /// The maximum number of final heads that libcurl answers by itself, with credentials.
    ///
    /// A server can demand them without end: libcurl believes each Digest challenge that calls the
    /// last nonce stale (RFC 7616, section 3.3).
    package static let maximumRestartCount = 20

    /// The largest buffer that is reused for the next head.
    private static let keptBytes = 16 * 1024

    private let maximumFieldCount: Int
    private let maximumBytes: Int
    private let allowsRestart: Bool
    private var state = State.beforeStatusLine
    private var failure: TransportError?
    private var bytes: [UInt8] = []
    private var status = 0
    private var lineNumber = 0
    private var fieldCount = 0
    private var byteCount = 0
    private var informationalCount = 0
    private var restartCount = 0
    private var framing = ResponseFraming()
    private var trailerBytes: [UInt8] = []

    /// Creates a parser for one transfer.
    ///
    /// - Parameters:
    ///   - limits: The limits of the heads.
    ///   - allowsRestart: Whether libcurl may repeat the request by itself, as it does for
    ///     credentials that need several rounds. If not, a second final head fails: the server has
    ///     hidden it in the trailers.
    package init(
        limits: ResponseHeadLimits = ResponseHeadLimits(),
        allowsRestart: Bool = true
    ) {
        self.allowsRestart = allowsRestart
        maximumFieldCount = max(0, min(limits.maximumFieldCount, ResponseHead.fieldCountLimit))
        maximumBytes = max(0, limits.maximumBytes)
    }

    /// Whether the final head is complete and still valid.
    package var hasFinalHead: Bool {
        state == .afterFinalHead
    }

    /// Whether a status line was received, and the response isn't complete.
    var hasBegun: Bool { state != .beforeStatusLine }

    /// Borrows memory for the next head. ``returnMemory(to:)`` may return a larger buffer.
    package mutating func borrow(_ memory: inout [UInt8]) {
        swap(&bytes, &memory)
    }

    /// Returns the memory, empty, after the head is complete.
    package mutating func returnMemory(to memory: inout [UInt8]) {
        swap(&bytes, &memory)
        bytes = []
    }

    /// The trailer fields so far; complete after the transfer's end. Each access parses them.
    package var trailerFields: HTTPFields? {
        trailerBytes.isEmpty ? nil : FieldLines(trailerBytes).fields
    }

    /// Parses one line with its line end.
    package mutating func receive(_ line: Span<UInt8>) throws(TransportError) -> Event {
        do throws(TransportError) {
            return try read(line)
        } catch {
            failure = error
            bytes = []
            throw error
        }
    }

    private mutating func read(_ line: Span<UInt8>) throws(TransportError) -> Event {
        if let failure { throw failure }
        guard !line.isEmpty else { return .none }
        byteCount += line.count
        guard byteCount <= maximumBytes else {
            throw .responseHeadTooLarge("the response has more than \(maximumBytes) bytes of head")
        }
        switch state {
        case .beforeStatusLine:
            try begin(with: line)
            return .none
        case .inHead:
            let isEnd = line.isBlankLine
            if !isEnd { try add(line) }
            bytes.append(copying: line)
            return isEnd ? try finish() : .none
        case .afterFinalHead:
            return try readAfterFinalHead(line)
        }
    }

    private mutating func begin(with line: Span<UInt8>) throws(TransportError) {
        guard let status = line.statusOfStatusLine else {
            throw .invalidResponse("the response doesn't begin with an HTTP status line")
        }
        self.status = status
        lineNumber = 1
        fieldCount = 0
        framing = ResponseFraming()
        bytes.removeAll(keepingCapacity: true)
        bytes.reserveCapacity(1_024)
        bytes.append(copying: line)
        state = .inHead
    }

    /// Checks and counts a field's line, or a continuation line.
    private mutating func add(_ line: Span<UInt8>) throws(TransportError) {
        lineNumber += 1
        if line.isFolded {
            guard fieldCount > 0 else {
                throw .invalidResponse(
                    "line \(lineNumber) of the response head continues a field, but follows none"
                )
            }
            framing.addContinuation()
            return
        }
        fieldCount += 1
        guard fieldCount <= maximumFieldCount else {
            throw .responseHeadTooLarge(
                "the response has more than \(maximumFieldCount) header fields"
            )
        }
        let nameLength = line.fieldNameLength
        guard nameLength > 0 else {
            throw .invalidResponse(
                "line \(lineNumber) of the response head isn't a header field"
            )
        }
        framing.add(line, nameLength: nameLength)
    }

    private mutating func finish() throws(TransportError) -> Event {
        // Without unused capacity, because a response may be stored for long.
        let head = ResponseHead(
            bytes: [UInt8](copying: bytes.span),
            statusCode: status,
            framing: framing
        )
        bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptBytes)
        // 101 is the final response of its request: another protocol follows.
        guard status < 200, status != 101 else {
            state = .afterFinalHead
            fieldCount = 0
            lineNumber = 0
            return .head(head)
        }
        informationalCount += 1
        guard informationalCount <= Self.maximumInformationalCount else {
            throw .responseHeadTooLarge(
                "the server sent more than \(Self.maximumInformationalCount) informational heads"
            )
        }
        state = .beforeStatusLine
        return .informational(head)
    }

    private mutating func readAfterFinalHead(
        _ line: Span<UInt8>
    ) throws(TransportError) -> Event {
        // A field name can't look like a status line, which contains a slash.
        if line.statusOfStatusLine != nil {
            // After 101 another response follows if libcurl itself has requested HTTP/2.
            guard allowsRestart || status == 101 else {
                throw .invalidResponse("the server sent a second response after the first")
            }
            restartCount += 1
            guard restartCount <= Self.maximumRestartCount else {
                throw .tooManyChallenges(limit: Self.maximumRestartCount)
            }
            trailerBytes = []
            try begin(with: line)
            return .restarted
        }
        guard !line.isBlankLine else { return .none }
        try add(line)
        trailerBytes.append(copying: line)
        return .none
    }
}

/// The limits of a response's head.
///
/// Beyond them, the transfer fails with ``TransportError/Code/responseHeadTooLarge``.
public struct ResponseHeadLimits: Sendable, Hashable {
    /// The maximum number of fields of a head, or of trailers. Default: 5,000.
    ///
    /// Values are limited to the range from 0 to 65,000. libcurl since 8.14 itself allows at most
    /// 5,000.
    public var maximumFieldCount: Int

    /// The maximum bytes of all heads and trailers of an exchange. Default: 262,144.
    ///
    /// It includes informational heads. Values below 0 count as 0. libcurl has its own limits, too:
    /// about 100 KB for a line and 300 KB for a head. Before 8.0, it closes an HTTP/2 connection
    /// after a head of more than 128 KB.
    public var maximumBytes: Int

    /// Creates limits. The defaults are far above the heads of ordinary servers.
    public init(maximumFieldCount: Int = 5_000, maximumBytes: Int = 256 * 1_024) {
        self.maximumFieldCount = maximumFieldCount
        self.maximumBytes = maximumBytes
    }
}
