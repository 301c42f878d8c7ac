internal import HTTPSemantics
internal import Posix

/// The announcement of HTTP/3 in the `Alt-Svc` fields of a response.
///
/// Only announcements for the origin's own host and port count. Source: RFC 7838, section 3.
enum AltSvcAnnouncement: Equatable {
    /// HTTP/3 is available for the given number of seconds.
    case http3(seconds: Int64)
    /// Former announcements are invalid: `clear`, or no announcement of HTTP/3 on the origin.
    case none

    /// Parses the fields. Nil if there is none.
    ///
    /// - Parameters:
    ///   - values: The values of the response's `Alt-Svc` fields.
    ///   - host: The origin's host, as in URLs.
    init?(_ values: [String], host: String, port: Int) {
        guard !values.isEmpty else { return nil }
        self = .none
        for value in values {
            var reader = AltSvcReader(value)
            // The reader checks each service completely: malformed ones announce nothing.
            while let service = reader.next() {
                guard service.protocolName == "h3",
                    service.host.isEmpty || service.host.lowercased() == host.lowercased(),
                    service.port == port
                else { continue }
                self = service.seconds > 0 ? .http3(seconds: service.seconds) : .none
                return
            }
        }
    }
}

/// Parses the services of one `Alt-Svc` field, and stops at a syntax error.
private struct AltSvcReader {
    struct Service {
        var protocolName = ""
        var host = ""
        var port = 0
        /// The lifetime. Default: one day.
        var seconds: Int64 = 86_400
    }

    private var scanner: FieldScanner

    init(_ value: String) {
        scanner = FieldScanner(value.utf8)
    }

    mutating func next() -> Service? {
        repeat { scanner.skipWhitespace() } while scanner.skip(",")
        var service = Service()
        guard let name = scanner.token(), scanner.skip("="),
            let authority = scanner.terminatedQuotedString()
        else { return nil }
        service.protocolName = name
        guard let colon = authority.lastIndex(of: ":"),
            let port = Self.number(authority[authority.index(after: colon)...]),
            (1...65_535).contains(port)
        else { return nil }
        service.host = String(authority[..<colon])
        service.port = Int(port)
        while skipSemicolon() {
            guard let parameter = scanner.token(), scanner.skip("="),
                let value = scanner.token() ?? scanner.terminatedQuotedString()
            else { return nil }
            guard parameter.lowercased() == "ma" else { continue }
            guard let seconds = Self.number(value[...]) else { return nil }
            service.seconds = seconds
        }
        return service
    }

    /// Limits the number to 31 bits, which are 68 years.
    private static func number(_ digits: Substring) -> Int64? {
        guard !digits.isEmpty, digits.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        return Int64(digits.prefix(20)).map { min($0, Int64(Int32.max)) } ?? Int64(Int32.max)
    }

    /// Skips a semicolon with the whitespace around it. Returns whether there was one.
    private mutating func skipSemicolon() -> Bool {
        scanner.skipWhitespace()
        guard scanner.skip(";") else { return false }
        scanner.skipWhitespace()
        return true
    }
}

/// Whether an origin's announced HTTP/3 is usable. A pure value without a clock.
struct AlternativeService {
    private var validUntil: MonotonicTime?
    private var blockedUntil: MonotonicTime?

    /// How long announcements are ignored after HTTP/3 failed: 5 minutes, in nanoseconds.
    static let blockLifetime: Int64 = 300 * 1_000_000_000

    func isUsable(at now: MonotonicTime) -> Bool {
        guard let validUntil, now < validUntil else { return false }
        return blockedUntil.map { now >= $0 } ?? true
    }

    mutating func learn(_ announcement: AltSvcAnnouncement, at now: MonotonicTime) {
        switch announcement {
        case .none: validUntil = nil
        case .http3(let seconds):
            validUntil = now.advanced(byNanoseconds: seconds * 1_000_000_000)
        }
    }

    /// Records that a request for HTTP/3 used a new connection of an earlier version.
    mutating func failed(at now: MonotonicTime) {
        blockedUntil = now.advanced(byNanoseconds: Self.blockLifetime)
    }
}
