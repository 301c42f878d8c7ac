internal import HTTPSemantics

/// The directives of `Cache-Control` in a request or response (RFC 9111, 5.2).
///
/// The stricter interpretation holds if directives are contradictory or malformed: an unnecessary
/// revalidation does no harm.
struct CacheDirectives: Sendable, Hashable {
    private enum Argument: Sendable, Hashable {
        case none
        case text(String)
        case malformed
    }

    /// Keyed by lowercase name, with one element for each occurrence.
    private var arguments: [String: [Argument]] = [:]

    /// Parses the values of the field's lines, in order.
    ///
    /// An unterminated quoted string could hide any directive, so it counts as `no-store`.
    init(_ lines: [String]) {
        for line in lines {
            var scanner = FieldScanner(line.utf8)
            repeat { add(scanner.listMember().trimmingFieldWhitespace) } while scanner.skip(",")
        }
    }

    /// Adds a directive, as if the field contained it.
    mutating func add(_ member: String) {
        guard !member.isEmpty else { return }
        if Self.breaksOff(member) { arguments["no-store", default: []].append(.none) }
        let parts = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts[0].lowercased()
        var argument = parts.count > 1 ? Self.argument(String(parts[1])) : .none
        let trimmed = name.trimmingFieldWhitespace
        // No whitespace is allowed around the equals sign.
        if trimmed != name { argument = .malformed }
        arguments[trimmed, default: []].append(argument)
    }

    var isEmpty: Bool { arguments.isEmpty }

    /// Whether the directive is present, with or without an argument.
    func contains(_ name: String) -> Bool {
        arguments[name] != nil
    }

    /// Whether the directive is present without field names.
    func appliesToAll(_ name: String) -> Bool {
        arguments[name]?.contains { argument in
            guard case .text(let text) = argument else { return true }
            return text.trimmingFieldWhitespace.isEmpty
        } ?? false
    }

    /// The directive's smallest number of seconds. It is 0 if one isn't a number, and `nil` without
    /// the directive.
    func seconds(_ name: String) -> Int? {
        arguments[name]?.map { Self.seconds($0) ?? 0 }.min()
    }

    /// The directive's largest number of seconds. It is `Int.max` if one isn't a number, and `nil`
    /// without the directive.
    func mostSeconds(_ name: String) -> Int? {
        arguments[name]?.map { Self.seconds($0) ?? .max }.max()
    }

    /// The field names that the directive lists, lowercase, as in `no-cache="set-cookie, x"`.
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

    /// Whether a quoted string is unterminated.
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

extension String {
    /// A number of seconds (RFC 9111, 1.2.2); `nil` unless all characters are digits. The maximum
    /// is 2 to the power of 31, which is 68 years.
    var deltaSeconds: Int? {
        let most = 2_147_483_648
        let digits = utf8
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCIIDigit }) else { return nil }
        return Int(self).map { min($0, most) } ?? most
    }
}
