internal import Testing

/// Checks that each public declaration has a documentation comment.
///
/// The cases of a public enum and the requirements of a public protocol are public with it. Imports
/// and extensions need no comment.
@Suite struct DocumentationCommentTests {
    private let declaration =
        /^ *(?:(?:@\w+(?:\([^)]*\))?|override|final|static|required|convenience|nonisolated|mutating|indirect) +)*(?:public|open) +(?!import |extension )[a-z@]/
    private let type =
        /^ *(?:(?:@\w+|indirect) +)*(?:public|open) +(?:indirect +)?(enum|protocol)\b/
    private let enumCase = /^ *(?:indirect +)?case [\w`]/
    private let requirement =
        /^ *(?:(?:@\w+(?:\([^)]*\))?|static|mutating|nonmutating) +)*(?:func|var|init|subscript|associatedtype)\b/

    /// The public declarations in `lines`, with whether each has a comment.
    ///
    /// The lines are formatted: what a type declares is indented by four spaces more than the type.
    private func declarations(in lines: [Substring]) -> [(line: Int, isDocumented: Bool)] {
        var open: [(indentation: Int, isEnum: Bool)] = []
        var found: [(line: Int, isDocumented: Bool)] = []
        for (index, line) in lines.enumerated() where !line.allSatisfy({ $0 == " " }) {
            let indentation = line.prefix { $0 == " " }.count
            if let last = open.last, indentation == last.indentation,
                line.dropFirst(indentation).first == "}"
            {
                open.removeLast()
                continue
            }
            var isPublic = line.firstMatch(of: declaration) != nil
            if let last = open.last, indentation == last.indentation + 4 {
                let member = last.isEnum ? enumCase : requirement
                isPublic = isPublic || line.firstMatch(of: member) != nil
            }
            if isPublic { found.append((index + 1, isDocumented(lines[..<index]))) }
            if let kind = line.firstMatch(of: type)?.1, !line.hasSuffix("}") {
                open.append((indentation, kind == "enum"))
            }
        }
        return found
    }

    /// Whether the lines before a declaration end with a comment, apart from attributes.
    private func isDocumented(_ lines: ArraySlice<Substring>) -> Bool {
        // Whether the line belongs to an attribute that begins further up.
        var isInAttribute = false
        for line in lines.reversed() {
            let text = line.drop { $0 == " " }
            if text.hasPrefix("@") {
                isInAttribute = false
            } else if text == ")" {
                isInAttribute = true
            } else if !text.hasPrefix("#"), !isInAttribute || text.isEmpty {
                return text.hasPrefix("///")
            }
        }
        return false
    }

    @Test("Each public declaration has a documentation comment")
    func publicDeclarationsAreDocumented() throws {
        var count = 0
        for file in try SourceTree.swiftFiles("Sources") {
            for declaration in declarations(in: file.lines) {
                count += 1
                #expect(declaration.isDocumented, "\(file):\(declaration.line)")
            }
        }
        #expect(count > 1_000)
    }

    @Test("Declarations without a comment are found, and those with attributes aren't")
    func undocumentedDeclarationsAreFound() {
        let text = """
            public import Foundation

            /// Documented.
            @available(*, deprecated)
            #if hasAttribute(nonexhaustive)
                @nonexhaustive
            #endif
            public enum Kind: Sendable {
                /// Documented.
                case one
                case two

                var own: Int {
                    switch self {
                    case .one: 1
                    }
                }
            }

            public extension Kind {
                open(file)
                /// Documented.
                @available(
                    *,
                    deprecated
                )
                public static func make() {}
                @discardableResult
                open override func use() {}
            }

            /// Documented.
            public protocol Reader {
                /// Documented.
                func read()
                var size: Int { get }
            }

            // No documentation.
            public struct Value {
                public private(set) var size = use(
                    1
                )
                public let other = 1
                private let third = 1
            }
            """
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let found = declarations(in: lines)
        let undocumented = found.filter { !$0.isDocumented }.map { lines[$0.line - 1] }
        #expect(
            undocumented.map { $0.drop { $0 == " " } } == [
                "case two", "open override func use() {}", "var size: Int { get }",
                "public struct Value {", "public private(set) var size = use(",
                "public let other = 1",
            ]
        )
        #expect(found.count == 11)
    }
}
