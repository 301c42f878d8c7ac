internal import HTTPSemantics

/// The facts about the body in a head, collected from its lines.
///
/// libcurl uses the last of several lengths, and the leading number of a malformed length. An
/// intermediary may use another length, and then see the end of the response elsewhere. So anything
/// ambiguous is an error. Source: RFC 9112, section 6.3.
struct ResponseFraming: Hashable, Sendable {
    /// Whether the body is compressed, or has another coding. `identity` is none.
    private(set) var isEncoded = false
    /// Whether there are cookies, for consumers that store them.
    private(set) var setsCookies = false
    /// Whether there are fields about caching, for consumers with a cache.
    private(set) var concernsCaches = false
    private var isChunked = false
    private var announced: Int64?
    private var problem: Problem?
    /// Whether the body has a transfer coding other than chunked.
    private var hasOtherCoding = false
    private var last = Field.other

    private enum Problem: Hashable {
        case noNumber
        case different
    }

    /// The field of the last line, which the next line may continue.
    private enum Field: Hashable {
        case length
        case contentCoding
        case transferCoding
        case other
    }

    /// The body's length; nil if it ends with the last chunk or with the connection.
    var length: Int64? {
        get throws(TransportError) {
            // Chunked coding overrides a length.
            guard !isChunked else { return nil }
            switch problem {
            case nil:
                return announced
            case .noNumber:
                throw .invalidResponse("the response's Content-Length isn't a plain number")
            case .different:
                throw .invalidResponse("the response has two different Content-Length values")
            }
        }
    }

    /// Rejects any transfer coding except chunked.
    ///
    /// No other coding is ever requested, and libcurl would decode those that it supports without a
    /// limit. Source: RFC 9112, section 7.
    func checkTransferCoding() throws(TransportError) {
        guard hasOtherCoding else { return }
        throw .invalidResponse("the response has a transfer coding that the request doesn't accept")
    }

    /// The value of Content-Length, if it is one plain number.
    var announcedLength: Int64? { problem == nil ? announced : nil }

    /// Adds a field's line, whose name has `nameLength` bytes.
    mutating func add(_ line: Span<UInt8>, nameLength: Int) {
        last = .other
        switch nameLength {
        case 4 where line.begins(with: "etag"), 7 where line.begins(with: "expires"),
            13 where line.begins(with: "cache-control"),
            13 where line.begins(with: "last-modified"):
            concernsCaches = true
        case 10 where line.begins(with: "set-cookie"):
            setsCookies = true
        case 14 where line.begins(with: "content-length"):
            last = .length
            addLengths(line.extracting(15..<line.count))
        case 16 where line.begins(with: "content-encoding"):
            last = .contentCoding
            if !line.extracting(17..<line.count).namesOnlyIdentity { isEncoded = true }
        case 17 where line.begins(with: "transfer-encoding"):
            isChunked = true
            last = .transferCoding
            if !line.extracting(18..<line.count).namesOnlyChunks { hasOtherCoding = true }
        default:
            break
        }
    }

    /// Adds a continuation line. A folded length or transfer coding is ambiguous.
    mutating func addContinuation() {
        switch last {
        case .length: problem = problem ?? .noNumber
        case .contentCoding: isEncoded = true
        case .transferCoding: hasOtherCoding = true
        case .other: break
        }
    }

    /// Parses one length or a list of them.
    private mutating func addLengths(_ value: Span<UInt8>) {
        var number: Int64?
        var isOver = false
        for index in value.indices {
            switch value[index] {
            case let digit where digit.isASCIIDigit:
                guard !isOver, let next = (number ?? 0).appending(digit: digit) else {
                    problem = problem ?? .noNumber
                    return
                }
                number = next
            case ASCII.space, ASCII.tab, ASCII.carriageReturn, ASCII.lineFeed:
                isOver = number != nil
            case UInt8(ascii: ","):
                note(number)
                (number, isOver) = (nil, false)
            default:
                problem = problem ?? .noNumber
                return
            }
        }
        note(number)
    }

    private mutating func note(_ number: Int64?) {
        guard let number else { return }
        if let announced, announced != number { problem = problem ?? .different }
        announced = number
    }
}

extension [UInt8] {
    fileprivate var isChunksName: Bool {
        isEmpty || self == Array("chunked".utf8) || self == Array("identity".utf8)
    }
}

extension Int64 {
    /// This number with another decimal digit appended; nil on overflow.
    fileprivate func appending(digit: UInt8) -> Int64? {
        let (tenfold, isTooLarge) = multipliedReportingOverflow(by: 10)
        let (sum, overflows) = tenfold.addingReportingOverflow(Int64(digit & 15))
        return isTooLarge || overflows ? nil : sum
    }
}

extension Span<UInt8> {
    /// Whether this list contains no transfer coding except `chunked` and the obsolete `identity`.
    fileprivate var namesOnlyChunks: Bool {
        var name: [UInt8] = []
        for index in indices {
            switch self[index] {
            case ASCII.space, ASCII.tab, ASCII.carriageReturn, ASCII.lineFeed:
                continue
            case UInt8(ascii: ","):
                guard name.isChunksName else { return false }
                name = []
            case let byte:
                guard name.count < 9 else { return false }
                name.append(byte.lowercasedASCII)
            }
        }
        return name.isChunksName
    }

    /// Whether this list contains no content coding except `identity`. Allocates nothing.
    fileprivate var namesOnlyIdentity: Bool {
        let identity = "identity"
        let name = identity.utf8.span
        var matched = 0
        for index in indices {
            switch self[index] {
            case ASCII.space, ASCII.tab, ASCII.carriageReturn, ASCII.lineFeed:
                continue
            case UInt8(ascii: ","):
                guard matched == 0 || matched == name.count else { return false }
                matched = 0
            case let byte:
                guard matched < name.count, byte.lowercasedASCII == name[matched] else {
                    return false
                }
                matched += 1
            }
        }
        return matched == 0 || matched == name.count
    }

    /// Whether this begins with `name`, in any letter case.
    ///
    /// `name` must be in lower case.
    fileprivate func begins(with name: String) -> Bool {
        let name = name.utf8.span
        guard count >= name.count else { return false }
        for index in name.indices where self[index].lowercasedASCII != name[index] { return false }
        return true
    }
}
