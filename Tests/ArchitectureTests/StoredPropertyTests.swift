internal import Testing

/// A type with many stored properties is several types in one.
@Suite struct StoredPropertyTests {
    private static let limit = 24

    /// A declaration whose end isn't read yet.
    private struct Declaration {
        let name: String
        let indentation: Int
        var count = 0
    }

    private let declaration =
        /^ *(?:(?:@\w+|public|package|internal|private|fileprivate|final|open|indirect) +)*(?:struct|class|actor) +(\w+)/
    private let property =
        /^ *(?:(?:@\w+(?:\([^)]*\))?|public|package|internal|private|fileprivate|final|open|weak|lazy|unowned|\w+\(set\)) +)*(?:var|let) +(?=[\w(])/

    /// The types that `lines` declares, with the number of their stored properties.
    ///
    /// The lines are formatted: what a type declares is indented by four spaces more than the type.
    private func types(in lines: [String]) -> [(name: String, count: Int)] {
        var open: [Declaration] = []
        var types: [(name: String, count: Int)] = []
        for (number, line) in lines.enumerated() where !line.allSatisfy({ $0 == " " }) {
            let indentation = line.prefix { $0 == " " }.count
            if let last = open.last, indentation == last.indentation, line.contains("}") {
                types.append((last.name, last.count))
                open.removeLast()
            } else if let found = line.firstMatch(of: declaration) {
                open.append(Declaration(name: String(found.1), indentation: indentation))
            } else if let last = open.last, indentation == last.indentation + 4 {
                open[open.count - 1].count += storedCount(
                    line,
                    followedBy: lines.dropFirst(number + 1).first
                )
            }
        }
        return types
    }

    /// The number of properties without a getter that a line declares.
    private func storedCount(_ line: String, followedBy next: String?) -> Int {
        guard let found = line.firstMatch(of: property) else { return 0 }
        let count = nameCount(line[found.range.upperBound...])
        let observers = ["didSet", "willSet"]
        if observers.contains(where: { next?.contains($0) ?? false }) { return count }
        guard let brace = line.firstIndex(of: "{") else { return count }
        return line[..<brace].contains(" = ") ? count : 0
    }

    /// The number of names in `(a, b) = …` or in `a = 1, b = 2`.
    private func nameCount(_ text: Substring) -> Int {
        let text = text.replacing(/"(?:\\.|[^"\\])*"/, with: "")
        if text.hasPrefix("(") {
            return text.prefix { $0 != ")" }.count { $0 == "," } + 1
        }
        var (depth, names) = (0, 1)
        var previous: Character = " "
        for character in text {
            switch character {
            case "(", "[", "{": depth += 1
            case ")", "]", "}": depth -= 1
            // Around generic arguments. An operator stands behind a space, and an arrow has a hyphen.
            case "<" where previous != " ": depth += 1
            case ">" where previous != " " && previous != "-": depth -= 1
            case "," where depth == 0: names += 1
            default: break
            }
            previous = character
        }
        return names
    }

    @Test("No type has more stored properties than the limit")
    func noTypeHasTooManyStoredProperties() throws {
        for file in try SourceTree.swiftFiles("Sources") {
            for type in types(in: file.code) where type.count > Self.limit {
                Issue.record("\(file): \(type.name) has \(type.count) stored properties")
            }
        }
    }

    @Test("Each stored property is counted, also of several in a line; computed ones aren't")
    func storedPropertiesAreCounted() {
        let lines = """
            public final class Outer: Base {
                let a = 1
                private(set) var b: Int
                weak var c: Outer?
                var d = 0 {
                    didSet { update() }
                }
                var e: Int { 1 }
                var f: Int {
                    2
                }
                static let g = Inner(x: 1)
                let h = { 3 }()
                private let (j, k) = ("(", 2)
                var l = use(1, 2), m: [Int: (Int, Int) -> Int] = [:], n: Result<Int, any Error>?

                struct Inner {
                    let x: Int
                }

                func use() {
                    let i = 4
                }
            }
            """
        let found = types(in: lines.split(separator: "\n").map(String.init))
        #expect(found.map(\.name) == ["Inner", "Outer"])
        #expect(found.map(\.count) == [1, 10])
    }
}
