internal import Testing

/// A pattern that the optimiser of Swift 6.3 compiles wrongly: see .github/CONTRIBUTING.md.
@Suite struct OptionalPatternTests {
    /// The lines of a file that put an optional back, and before that take it out or set it to nil.
    private func restorations(_ code: [String]) -> [String] {
        var emptied: Set<Substring> = []
        return code.filter { line in
            // Another method begins.
            if line.contains(/\b(?:func |init\()/) { emptied = [] }
            for found in line.matches(of: /self\.(\w+) = nil\b/) { emptied.insert(found.1) }
            for found in line.matches(of: /\b(\w+)\.take\(\)/) { emptied.insert(found.1) }
            guard let found = line.wholeMatch(of: /\s*self\.(\w+) = (\w+)\s*/) else { return false }
            return found.1 == found.2 && emptied.contains(found.1)
        }
    }

    @Test("No method takes an optional out to change it and puts it back")
    func noOptionalIsPutBack() throws {
        for file in try SourceTree.swiftFiles("Sources") {
            let found = restorations(file.code)
            #expect(found.isEmpty, "\(file) puts back an optional")
        }
    }

    @Test("The search finds an optional that is put back")
    func putBackOptionalIsFound() {
        let emptying = ["    var head = head.take() ?? []", "    self.head = nil"]
        for line in emptying {
            #expect(restorations(["func set() {", line, "    self.head = head"]).count == 1)
            let others = ["func reset() {", line, "}", "func set() {", "    self.head = head"]
            #expect(restorations(others).isEmpty)
        }
    }
}
