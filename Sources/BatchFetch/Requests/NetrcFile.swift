/// User names and passwords by host, in the format of a `.netrc` file.
///
/// Tokens are separated by white space: `machine HOST`, or `default`, and then `login NAME`,
/// `password TEXT` and `account TEXT` in any order. A token in quotes may contain spaces and the
/// escapes `\"`, `\\`, `\n`, `\r` and `\t`. A value with a control character is a mistake, because
/// Basic authentication can't carry it. A line that begins with `#` is a comment. A `macdef` ends at
/// the next blank line. Source: <https://everything.curl.dev/usingcurl/netrc.html>.
struct NetrcFile: Sendable, Hashable {
    /// A mistake in the file, without any of its text.
    struct Mistake: Error, Hashable {
        /// From 1.
        let line: Int
        let reason: String
    }

    /// A user name and its password.
    struct Login: Sendable, Hashable {
        var user = ""
        var password = ""
    }

    /// By canonical host name. The first entry of a host counts.
    private var logins: [String: Login] = [:]
    /// The login of hosts without an entry.
    private var usual: Login?

    /// Parses the text of a file.
    init(_ text: String) throws(Mistake) {
        var reader = NetrcReader(text)
        while let token = try reader.next() {
            switch token {
            case "machine":
                let host = HostName.canonical(Substring(try reader.value(of: token)).utf8)
                let login = try Self.login(&reader)
                if logins[host] == nil { logins[host] = login }
            case "default":
                let login = try Self.login(&reader)
                if usual == nil { usual = login }
            case "macdef":
                try reader.skipMacro()
            default:
                throw Mistake(
                    line: reader.line,
                    reason: "an entry must begin with machine, default or macdef"
                )
            }
        }
    }

    private static func login(_ reader: inout NetrcReader) throws(Mistake) -> Login {
        var login = Login()
        while let key = try reader.nextOfEntry() {
            let line = reader.line
            let value = try reader.value(of: key)
            switch key {
            case "login":
                guard !value.utf8.contains(UInt8(ascii: ":")) else {
                    let reason = "a login has a colon, which Basic authentication can't carry"
                    throw Mistake(line: line, reason: reason)
                }
                login.user = value
            case "password": login.password = value
            default: break
            }
        }
        return login
    }

    /// The login for a host in canonical form; `nil` for none, also if its entry has none.
    func login(for host: String) -> Login? {
        guard let login = logins[host] ?? usual, login != Login() else { return nil }
        return login
    }
}

/// Reads the tokens of a `.netrc` file.
private struct NetrcReader {
    private let bytes: [UInt8]
    private var place = 0
    /// The line of the next byte, from 1.
    private(set) var line = 1

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    private var first: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func advance() {
        if first == 0x0A { line += 1 }
        place += 1
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    /// Skips white space and comments.
    private mutating func skipSpace() {
        while let byte = first {
            let isLineStart = place == 0 || bytes[place - 1] == 0x0A
            if byte == UInt8(ascii: "#"), isLineStart {
                while let byte = first, byte != 0x0A { advance() }
            } else if Self.isSpace(byte) {
                advance()
            } else {
                return
            }
        }
    }

    /// The next token; `nil` at the end.
    mutating func next() throws(NetrcFile.Mistake) -> String? {
        skipSpace()
        guard let first else { return nil }
        if first == UInt8(ascii: "\"") { return try quoted() }
        let start = place
        while let byte = self.first, !Self.isSpace(byte) { advance() }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    /// The next key of an entry; `nil`, and the token is left, at the entry's end.
    mutating func nextOfEntry() throws(NetrcFile.Mistake) -> String? {
        let before = self
        guard let key = try next() else { return nil }
        if ["login", "password", "account"].contains(key) { return key }
        self = before
        return nil
    }

    /// The token that follows `key`.
    mutating func value(of key: String) throws(NetrcFile.Mistake) -> String {
        let line = line
        guard let value = try next() else {
            throw NetrcFile.Mistake(line: line, reason: "nothing follows \(key)")
        }
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw NetrcFile.Mistake(line: line, reason: "a control character follows \(key)")
        }
        return value
    }

    /// Skips a macro: its name, and all lines up to a blank one.
    mutating func skipMacro() throws(NetrcFile.Mistake) {
        _ = try value(of: "macdef")
        while first != nil {
            let isEnd = first == 0x0A && place + 1 < bytes.count && bytes[place + 1] == 0x0A
            advance()
            if isEnd { return }
        }
    }

    private mutating func quoted() throws(NetrcFile.Mistake) -> String {
        let start = line
        var text: [UInt8] = []
        advance()
        while let byte = first {
            advance()
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = first else { break }
                advance()
                text.append(Self.character(ofEscape: escaped))
            default: text.append(byte)
            }
        }
        throw NetrcFile.Mistake(line: start, reason: "a closing quote is missing")
    }

    private static func character(ofEscape byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: byte
        }
    }
}
