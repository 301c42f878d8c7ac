/// What `Cache-Control` says, in a request or a response (RFC 9111, 5.2).
///
/// Where directives contradict each other, or one can't be read, the stricter reading holds: a cache
/// that asks once too often does no harm.
struct CacheDirectives: Sendable, Hashable {
    private enum Argument: Sendable, Hashable {
        case none
        case text(String)
        case malformed
    }

    /// By names in small letters, as often as they occur.
    private var arguments: [String: [Argument]] = [:]

    /// Reads the values of the field's lines, in order. A quoted string that doesn't end could hide
    /// anything: it is taken for `no-store`.
    init(_ lines: [String]) {
        for line in lines {
            var scanner = FieldScanner(line.utf8)
            repeat { add(scanner.listMember().trimmingFieldWhitespace) } while scanner.skip(",")
        }
    }

    /// Adds a directive, as if it had been there.
    mutating func add(_ member: String) {
        guard !member.isEmpty else { return }
        if Self.breaksOff(member) { arguments["no-store", default: []].append(.none) }
        let parts = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts[0].lowercased()
        var argument = parts.count > 1 ? Self.argument(String(parts[1])) : .none
        let trimmed = name.trimmingFieldWhitespace
        // There is no whitespace around the equals sign.
        if trimmed != name { argument = .malformed }
        arguments[trimmed, default: []].append(argument)
    }

    var isEmpty: Bool { arguments.isEmpty }

    /// Whether the directive is there, with an argument or without.
    func contains(_ name: String) -> Bool {
        arguments[name] != nil
    }

    /// Whether the directive is there without the names of fields.
    func appliesToAll(_ name: String) -> Bool {
        arguments[name]?.contains { argument in
            guard case .text(let text) = argument else { return true }
            return text.trimmingFieldWhitespace.isEmpty
        } ?? false
    }

    /// The smallest number of seconds that the directive has; 0 if one isn't a number; `nil` without
    /// the directive.
    func seconds(_ name: String) -> Int? {
        arguments[name]?.map { Self.seconds($0) ?? 0 }.min()
    }

    /// The largest number of seconds that the directive has, without an end if one isn't a number;
    /// `nil` without the directive.
    func mostSeconds(_ name: String) -> Int? {
        arguments[name]?.map { Self.seconds($0) ?? .max }.max()
    }

    /// The fields that the directive names, as in `no-cache="set-cookie, x"`, in small letters.
    func fieldNames(_ name: String) -> Set<String> {
        var names: Set<String> = []
        for case .text(let text) in arguments[name] ?? [] {
            for member in text.split(separator: ",") {
                names.insert(String(member).trimmingFieldWhitespace.lowercased())
            }
        }
        return names
    }

    private static func seconds(_ argument: Argument) -> Int? {
        if case .text(let text) = argument { text.deltaSeconds } else { nil }
    }

    private static func argument(_ text: String) -> Argument {
        guard text.hasPrefix("\"") else { return .text(text) }
        var scanner = FieldScanner(text.utf8)
        guard let content = scanner.quotedString(), scanner.text(upTo: ",").isEmpty else {
            return .malformed
        }
        return .text(content)
    }

    /// Whether a quoted string begins and doesn't end.
    private static func breaksOff(_ member: String) -> Bool {
        var isQuoted = false
        var isEscaped = false
        for byte in member.utf8 {
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            }
        }
        return isQuoted
    }
}
