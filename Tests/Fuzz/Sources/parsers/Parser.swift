/// The fuzzed parsers.
///
/// A parser must neither trap nor loop, and input in pieces must give the same result.
enum Parser: String, CaseIterable {
    case heads
    case cookies
    case cookiefiles
    case caching
    case dates
    case ranges
    case fields
    case websocket
    case events
    case multipart
    case transferjobs
    case journals
    case results
    case lists
    case patterns
    case robots
    case resume
    case settings

    /// Set once at the start: libFuzzer's callback has no context argument.
    nonisolated(unsafe) static var chosen = Parser.heads

    static func run(_ bytes: [UInt8]) {
        switch chosen {
        case .heads: parseHead(bytes)
        case .cookies: parseCookies(bytes)
        case .cookiefiles: parseCookieFile(bytes)
        case .caching: parseCaching(bytes)
        case .dates: parseDates(bytes)
        case .ranges: parseRanges(bytes)
        case .fields: parseFields(bytes)
        case .websocket: parseWebSocket(bytes)
        case .events: parseEvents(bytes)
        case .multipart: parseMultipart(bytes)
        case .transferjobs: parseTransferJob(bytes)
        case .journals: parseJournal(bytes)
        case .results: parseResults(bytes)
        case .lists: parseList(bytes)
        case .patterns: parsePattern(bytes)
        case .robots: parseRobots(bytes)
        case .resume: parseResumeData(bytes)
        case .settings: parseSettings(bytes)
        }
    }
}

/// Ends the process if two values that must be equal differ.
func expect<Value: Equatable>(_ one: Value, equals other: Value, _ text: String) {
    guard one != other else { return }
    fatalError("\(text): \(one) and \(other)")
}

/// Splits the bytes into pieces whose sizes the bytes themselves determine.
func pieces(_ bytes: [UInt8]) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var start = 0
    while start < bytes.count {
        let size = 1 + Int(bytes[start] % 23)
        let end = min(bytes.count, start + size)
        pieces.append(Array(bytes[start..<end]))
        start = end
    }
    return pieces
}

func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Array(bytes), as: UTF8.self)
}

/// The lines of the bytes, as text.
func lines(_ bytes: [UInt8]) -> [String] {
    bytes.split(separator: 10, omittingEmptySubsequences: false).map { text($0) }
}
