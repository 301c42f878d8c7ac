import TestSupport
import Testing

@testable import BatchFetch

/// Matches the patterns of `robots.txt` lines with paths.
@Suite struct RobotsRuleTests {
    private func fits(_ pattern: String, _ path: String) -> Bool {
        RobotsRule(pattern, isAllowed: false).fits(RobotsRule.normalized(path))
    }

    @Test(arguments: [
        ("/a$b", "/a$b/c", true), ("/a$b", "/a", false), ("/a*$", "/abc", true),
        ("/a$", "/ab", false), ("$", "/", false), ("", "/x", true), ("/*/c", "/a/b/c/d", true),
        ("/*ab$", "/aab", true), ("/*ab$", "/abab", true), ("/*ab$", "/aba", false),
        ("/a*b*c", "/aXcXb", false), ("/a*b*c", "/aXbXc", true), ("**$", "/", true),
        ("/ab", "/a", false), ("/a*", "/a", true),
    ])
    func patternMatchesAPrefixUnlessAnchored(pattern: String, path: String, isMatch: Bool) {
        #expect(fits(pattern, path) == isMatch)
    }

    /// A file must not be able to stall a run with nested wildcards.
    @Test func manyWildcardsAreMatchedInReasonableTime() {
        // With backtracking these five would take some 10^9 steps.
        let pattern = "/" + String(repeating: "a*", count: 5) + "b$"
        let start = ThreadFacts.nanosecondsOfThisThread
        #expect(!fits(pattern, "/" + String(repeating: "a", count: 300)))
        #expect(ThreadFacts.nanosecondsOfThisThread - start < 1_000_000_000)
        #expect(fits(pattern, "/" + String(repeating: "a", count: 300) + "b"))
    }

    @Test(arguments: [
        ("/a#b", "/a"), ("/%7Ea", "/~a"), ("/%2f", "/%2F"), ("/é", "/%C3%A9"),
        ("/%c3%a9", "/%C3%A9"),
        ("/%", "/%"), ("/%4", "/%4"), ("/%zz", "/%zz"), ("/a b", "/a b"), ("#", ""),
    ])
    func pathsHaveOneSpelling(path: String, normal: String) {
        #expect(String(decoding: RobotsRule.normalized(path), as: UTF8.self) == normal)
    }

    @Test func lengthIsThatOfTheNormalForm() {
        #expect(RobotsRule("/é", isAllowed: true).length == 7)
        #expect(RobotsRule("/%7E", isAllowed: true).length == 2)
    }

    /// The definition of a match, too slow for real files.
    private func matches(_ pattern: ArraySlice<UInt8>, _ path: ArraySlice<UInt8>) -> Bool {
        guard let first = pattern.first else { return true }
        let rest = pattern.dropFirst()
        if first == UInt8(ascii: "$"), rest.isEmpty { return path.isEmpty }
        guard first == UInt8(ascii: "*") else {
            return path.first == first && matches(rest, path.dropFirst())
        }
        return (0...path.count).contains { matches(rest, path.dropFirst($0)) }
    }

    @Test func randomPatternsMatchAsDefined() {
        var generator = SeededGenerator(seed: 5)
        func text(_ characters: String, _ count: ClosedRange<Int>) -> String {
            let count = Int.random(in: count, using: &generator)
            return String(
                (0..<count).compactMap { _ in characters.randomElement(using: &generator) }
            )
        }
        for _ in 0..<3000 {
            let pattern = "/" + text("ab**", 0...6) + text("$", 0...1)
            let path = "/" + text("ab", 0...7)
            let isMatch = matches(Array(pattern.utf8)[...], Array(path.utf8)[...])
            #expect(fits(pattern, path) == isMatch, "\(pattern) \(path)")
        }
    }
}
