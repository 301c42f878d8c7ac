internal import Curl
package import HTTPTypes

/// Turns the lines that libcurl hands to its header callback into response heads.
///
/// libcurl gives one line at a time, with its line end, for every response of an exchange:
/// informational ones, those of authentication rounds that it makes itself, the final one, and
/// the trailers behind the body, which have neither a status line nor a blank line. A folded
/// field's next line comes as a line of its own.
/// Source: <https://curl.se/libcurl/c/CURLOPT_HEADERFUNCTION.html>.
///
/// A pure value: it knows no transfer and no clock. A head's bytes are kept as they came, in one
/// buffer; nothing is made a string here. After a failure every further line fails, too.
package struct ResponseHeadParser: Sendable {
    /// What a line has brought about.
    package enum Event: Sendable {
        /// Nothing to tell yet.
        case none
        /// An informational head (1xx) is complete.
        case informational(ResponseHead)
        /// The final head is complete; the body, if any, follows.
        case head(ResponseHead)
        /// A final head was told of, but libcurl has asked again (a round of authentication):
        /// what was told so far is void, and another head follows.
        case restarted
    }

    private enum State: Sendable {
        case beforeStatusLine
        case inHead
        case afterFinalHead
    }

    /// Informational heads of one transfer; beyond, the server is taken to be hostile.
    package static let maximumInformationalCount = 100

    /// The memory of a larger head isn't kept for the next.
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
    private var framing = ResponseFraming()
    private var trailerBytes: [UInt8] = []

    /// Creates a parser for one transfer.
    ///
    /// - Parameters:
    ///   - limits: How much is taken.
    ///   - allowsRestart: Whether libcurl may ask again by itself, which it does for credentials
    ///     that take several rounds. Where it may not, a second final head is something that the
    ///     server has slipped into the trailers, and fails.
    package init(
        limits: ResponseHeadLimits = ResponseHeadLimits(),
        allowsRestart: Bool = true
    ) {
        self.allowsRestart = allowsRestart
        maximumFieldCount = max(0, min(limits.maximumFieldCount, ResponseHead.fieldCountLimit))
        maximumBytes = max(0, limits.maximumBytes)
    }

    /// Whether the final head is complete, and wasn't made void.
    package var hasFinalHead: Bool {
        state == .afterFinalHead
    }

    /// Takes memory to put the next head together in. Whoever lends it may get more back than that.
    package mutating func borrow(_ memory: inout [UInt8]) {
        swap(&bytes, &memory)
    }

    /// Gives the memory away, empty, once the head is complete.
    package mutating func giveBack(to memory: inout [UInt8]) {
        swap(&bytes, &memory)
        bytes = []
    }

    /// The trailer fields so far; all of them once the transfer has ended. Parsed anew each time.
    package var trailerFields: HTTPFields? {
        trailerBytes.isEmpty ? nil : FieldLines(trailerBytes).fields
    }

    /// Takes one line, with its line end.
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

    /// Checks a field's line, or the next line of a folded one, and counts it.
    private mutating func add(_ line: Span<UInt8>) throws(TransportError) {
        lineNumber += 1
        if line.isFolded {
            guard fieldCount > 0 else {
                throw .invalidResponse(
                    "line \(lineNumber) of the response head continues a field, and there is none"
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
                "line \(lineNumber) of the response head is no header field"
            )
        }
        framing.add(line, nameLength: nameLength)
    }

    private mutating func finish() throws(TransportError) -> Event {
        // No larger than it has to be: a response may be kept for long.
        let head = ResponseHead(
            bytes: [UInt8](copying: bytes.span),
            statusCode: status,
            framing: framing
        )
        bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptBytes)
        // 101 is final for its request: what follows is another protocol.
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
        // No field name can look like a status line: it has a slash.
        if line.statusOfStatusLine != nil {
            // After 101 another response follows where libcurl itself has asked for HTTP/2.
            guard allowsRestart || status == 101 else {
                throw .invalidResponse("the server sent another response behind the first")
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
