internal import Foundation
internal import Testing

@Suite struct SourceTests {
    /// Whether `word` stands in `line` as a word of its own.
    private func line(_ line: String, has word: String) -> Bool {
        var rest = Substring(line)
        while let range = rest.range(of: word) {
            let before = rest[..<range.lowerBound].last
            let after = rest[range.upperBound...].first
            if !isWord(before), !isWord(after) || !isWord(word.last) { return true }
            rest = rest[range.upperBound...]
        }
        return false
    }

    private func isWord(_ character: Character?) -> Bool {
        character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
    }

    private func expectNone(
        of words: [String],
        in files: [SourceTree.File],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for file in files {
            for (number, text) in file.code.enumerated() {
                for word in words where line(text, has: word) {
                    Issue.record(
                        "\(file):\(number + 1) has \(word)",
                        sourceLocation: sourceLocation
                    )
                }
            }
        }
    }

    @Test func unsafeCodeIsInOneTarget() throws {
        let files = try SourceTree.swiftFiles("Sources").filter {
            !$0.path.hasPrefix("Sources/Curl/")
        }
        expectNone(of: ["unsafe", "@unsafe", "@safe"], in: files)
        // The rule would find some.
        let curl = try SourceTree.swiftFiles("Sources/Curl")
        #expect(curl.contains { $0.code.contains { line($0, has: "unsafe") } })
    }

    @Test func nothingTrapsOnPurposeAndNothingEscapesTheCompiler() throws {
        expectNone(
            of: [
                "@unchecked", "nonisolated(unsafe)", "try!", "as!", "fatalError",
                "preconditionFailure", "precondition", "assertionFailure", "unowned(unsafe)",
                "@preconcurrency", "unsafeBitCast", "usleep", "nanosleep", "DispatchQueue",
            ],
            in: try SourceTree.swiftFiles("Sources")
        )
    }

    @Test func noFileIsLong() throws {
        for folder in ["Sources", "Tests", "Benchmarks"] {
            for file in try SourceTree.swiftFiles(folder) {
                #expect(file.lines.count <= 500, "\(file) has \(file.lines.count) lines")
            }
        }
    }

    @Test func noPathHasASpace() {
        for folder in ["Sources", "Tests", "CCurl", "Benchmarks"] {
            for path in SourceTree.paths(folder) where path.contains(" ") {
                Issue.record("\(path) has a space")
            }
        }
    }

    @Test func aFileIsNamedAfterItsType() throws {
        let kinds = ["struct", "class", "enum", "protocol", "actor", "typealias"]
        for file in try SourceTree.swiftFiles("Sources") where file.name != "main" {
            guard !file.name.contains("+") else { continue }
            let isDeclared = file.code.contains { text in
                kinds.contains { line(text, has: "\($0) \(file.name)") }
                    || text.hasPrefix("@main")
            }
            #expect(isDeclared, "\(file) declares no \(file.name)")
        }
    }

    @Test func everyOptionSaysWhereItIsDescribed() throws {
        let path = SourceTree.root.appendingPathComponent(
            "Sources/Curl/Easy/EasyOption+Names.swift"
        )
        let lines = try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
        var count = 0
        for (index, line) in lines.enumerated() where line.contains("package static var ") {
            count += 1
            let comment = lines[..<index].reversed().prefix { $0.contains("///") }
            let link = comment.joined().firstMatch(
                of: /<https:\/\/curl\.se\/libcurl\/c\/(CURLOPT_[A-Z0-9_]+)\.html>/
            )
            guard let link else {
                Issue.record("no link above \(line)")
                continue
            }
            // The option is in the line, or in the next where it doesn't fit.
            let body = line + (index + 1 < lines.count ? lines[index + 1] : "")
            if let option = body.firstMatch(of: /\((CURLOPT_[A-Z0-9_]+)\)/) {
                #expect(option.1 == link.1, "\(line)")
            }
        }
        #expect(count > 50)
    }

    @Test func theManifestNamesNoHeavyDependency() throws {
        let path = SourceTree.root.appendingPathComponent("Package.swift")
        let manifest = try String(contentsOf: path, encoding: .utf8)
        let packages = manifest.matches(of: /\.package\(\s*url: "([^"]+)"/).map { String($0.1) }
        #expect(
            Set(packages) == [
                "https://github.com/apple/swift-http-types",
                "https://github.com/apple/swift-argument-parser",
            ]
        )
    }
}
