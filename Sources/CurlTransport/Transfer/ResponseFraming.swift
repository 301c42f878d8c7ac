/// What a head says about the body that follows it, noted while its lines come in.
///
/// libcurl takes the last of several lengths, and the number that a length begins with. Whoever
/// stands between may have taken another, and then sees the end of the response elsewhere: so what
/// isn't plain is an error. Source: RFC 9112, section 6.3.
struct ResponseFraming: Hashable, Sendable {
    /// The body is compressed, or coded in another way.
    private(set) var isEncoded = false
    /// There are cookies, for those who keep them.
    private(set) var setsCookies = false
    /// Something is said about storing, for those who have a cache.
    private(set) var concernsCaches = false
    private var isChunked = false
    private var announced: Int64?
    private var problem: Problem?
    private var isLengthLast = false

    private enum Problem: Hashable {
        case noNumber
        case different
    }

    /// The body's length; nil where it ends with the last chunk or with the connection.
    var length: Int64? {
        get throws(TransportError) {
            // Chunks override a length.
            guard !isChunked else { return nil }
            switch problem {
            case nil:
                return announced
            case .noNumber:
                throw .invalidResponse("the response announces a length that is no plain number")
            case .different:
                throw .invalidResponse("the response announces two lengths that differ")
            }
        }
    }

    /// What Content-Length says, if it is one plain number.
    var announcedLength: Int64? { problem == nil ? announced : nil }

    /// A field's line, whose name has so many bytes.
    mutating func add(_ line: Span<UInt8>, nameLength: Int) {
        isLengthLast = false
        switch nameLength {
        case 4 where line.begins(with: "etag"), 7 where line.begins(with: "expires"),
            13 where line.begins(with: "cache-control"),
            13 where line.begins(with: "last-modified"):
            concernsCaches = true
        case 10 where line.begins(with: "set-cookie"):
            setsCookies = true
        case 14 where line.begins(with: "content-length"):
            isLengthLast = true
            addLengths(line.extracting(15..<line.count))
        case 16 where line.begins(with: "content-encoding"):
            isEncoded = true
        case 17 where line.begins(with: "transfer-encoding"):
            isChunked = true
        default:
            break
        }
    }

    /// The line before goes on: a length in several lines isn't plain.
    mutating func addContinuation() {
        if isLengthLast { problem = problem ?? .noNumber }
    }

    /// One length, or a list of them.
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

extension Int64 {
    /// This number with another decimal digit behind it; nil where it would be too large.
    fileprivate func appending(digit: UInt8) -> Int64? {
        let (tenfold, isTooLarge) = multipliedReportingOverflow(by: 10)
        let (sum, overflows) = tenfold.addingReportingOverflow(Int64(digit & 15))
        return isTooLarge || overflows ? nil : sum
    }
}

extension Span<UInt8> {
    /// Whether this begins with `name`, which is in lower case, in whatever case it is written.
    fileprivate func begins(with name: String) -> Bool {
        let name = name.utf8.span
        guard count >= name.count else { return false }
        for index in name.indices where self[index].lowercasedASCII != name[index] { return false }
        return true
    }
}
