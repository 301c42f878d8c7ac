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
        /^ *(?:(?:@\w+(?:\([^)]*\))?|public|package|internal|private|fileprivate|final|open|weak|lazy|unowned|\w+\(set\)) +)*(?:var|let) +\w/

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
            } else if let last = open.last, indentation == last.indentation + 4,
                isStored(line, followedBy: lines.dropFirst(number + 1).first)
            {
                open[open.count - 1].count += 1
            }
        }
        return types
    }

    /// Whether a line declares a property without a getter.
    private func isStored(_ line: String, followedBy next: String?) -> Bool {
        guard line.firstMatch(of: property) != nil else { return false }
        let observers = ["didSet", "willSet"]
        if observers.contains(where: { next?.contains($0) ?? false }) { return true }
        guard let brace = line.firstIndex(of: "{") else { return true }
        return line[..<brace].contains(" = ")
    }

    @Test("No type has more stored properties than the limit")
    func noTypeHasTooManyStoredProperties() throws {
        for file in try SourceTree.swiftFiles("Sources") {
            for type in types(in: file.code) where type.count > Self.limit {
                Issue.record("\(file): \(type.name) has \(type.count) stored properties")
            }
        }
    }

    @Test("Stored properties are counted, computed ones aren't")
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
        #expect(found.map(\.count) == [1, 5])
    }
}
