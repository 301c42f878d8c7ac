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

    /// Other C libraries than libcurl have one file or folder each, and so have the places where
    /// Foundation takes bytes, and gives them out, by pointers.
    private static let unsafeFiles: Set = [
        "Sources/BatchFetch/Archive/GzipEncoder.swift",
        "Sources/BatchFetch/Checksum/MessageDigest.swift",
        "Sources/BatchFetch/Input/GzipDecoder.swift",
        "Sources/CurlNetworking/Multipart/MultipartBodyStream.swift",
        "Sources/CurlNetworking/ResponseSerialization/PropertyListReader.swift",
        "Sources/CurlURLSession/Bytes/Data+Span.swift",
        "Sources/CurlURLSession/Bytes/InputStream+Bytes.swift",
        "Sources/CurlURLSession/Cache/SQLite/SQLiteConnection.swift",
        "Sources/CurlURLSession/Cookies/PublicSuffixList.swift",
        "Sources/CurlURLSession/Stream/CapturedInputStream.swift",
        "Sources/CurlURLSession/Stream/CapturedOutputStream.swift",
    ]

    @Test func unsafeCodeIsInOneTarget() throws {
        let files = try SourceTree.swiftFiles("Sources").filter {
            !$0.path.hasPrefix("Sources/Curl/") && !Self.unsafeFiles.contains($0.path)
                && !$0.path.hasPrefix("Sources/CurlNetworking/Security/OpenSSL/")
        }
        expectNone(of: ["unsafe", "@unsafe", "@safe"], in: files)
        // The rule would find some.
        let curl = try SourceTree.swiftFiles("Sources/Curl")
        #expect(curl.contains { $0.code.contains { line($0, has: "unsafe") } })
    }

    @Test func nothingTrapsOnPurposeAndNothingEscapesTheCompiler() throws {
        expectNone(
            of: [
                "nonisolated(unsafe)", "try!", "as!", "fatalError",
                "preconditionFailure", "precondition", "assertionFailure", "unowned(unsafe)",
                "@preconcurrency", "unsafeBitCast", "usleep", "nanosleep",
            ],
            in: try SourceTree.swiftFiles("Sources")
        )
        // Foundation's names promise its queues, and AFNetworking's the main one.
        let files = try SourceTree.swiftFiles("Sources").filter { !Self.hasQueues($0) }
        expectNone(of: ["DispatchQueue"], in: files)
    }

    @Test func noTestSleeps() throws {
        let tests = try SourceTree.swiftFiles("Tests").filter { $0.name != "SourceTests" }
        #expect(!tests.isEmpty)
        expectNone(of: ["sleep(", "usleep(", "nanosleep("], in: tests)
    }

    /// Whether a file is of the layers whose users know Foundation.
    private static func hasQueues(_ file: SourceTree.File) -> Bool {
        ["CurlURLSession", "CurlNetworking", "CurlNetworkingXML"].contains {
            file.path.hasPrefix("Sources/\($0)/")
        }
    }

    /// It would call back several times a second for each transfer, also for those that only wait.
    @Test("B8: libcurl is never asked to tell of its progress")
    func libcurlIsNeverAskedToTellOfItsProgress() throws {
        let files = try SourceTree.swiftFiles("Sources")
        let names = "Sources/Curl/Easy/EasyOption+Names.swift"
        let words = [".noProgress", "CURLOPT_XFERINFOFUNCTION", "CURLOPT_PROGRESSFUNCTION"]
        expectNone(of: words, in: files.filter { $0.path != names })
    }

    /// Whoever has a limit keeps the moment of it, and the loop waits no longer than for the next one.
    @Test("B4: Pieces of a body make no timers")
    func piecesOfABodyMakeNoTimers() throws {
        let files =
            try SourceTree.swiftFiles("Sources/Curl")
            + SourceTree.swiftFiles("Sources/CurlTransport")
        let words = ["DispatchSource", "timerfd_create", "timer_create", "setitimer", "asyncAfter"]
        expectNone(of: words + ["sleep"], in: files)
        #expect(files.contains { $0.code.contains { line($0, has: "epoll_wait") } })
        // One for each load by a protocol of the user's, which is set again by its pieces, and one while
        // somebody is asked something, or a task waits.
        let timers = try SourceTree.swiftFiles("Sources/CurlURLSession").filter { file in
            file.code.contains { line($0, has: "makeTimerSource") }
        }
        #expect(timers.map(\.name) == ["LoadTimer"])
    }

    /// Foundation's classes may be inherited from, and what may be can't be `Sendable` with the
    /// compiler's proof. So one is written down, and nothing that may be assigned to is stored.
    @Test("A-42: What the compiler doesn't check is proved in words")
    func whatTheCompilerDoesNotCheckIsProvedInWords() throws {
        let isExempt = Self.hasQueues
        let files = try SourceTree.swiftFiles("Sources")
        expectNone(of: ["@unchecked"], in: files.filter { !isExempt($0) })
        var count = 0
        for file in files where isExempt(file) {
            for (number, text) in file.code.enumerated() where line(text, has: "@unchecked") {
                count += 1
                let comment = file.lines[..<number].reversed().prefix { $0.contains("///") }
                #expect(
                    comment.contains { $0.contains("/// `@unchecked Sendable`: ") },
                    "\(file):\(number + 1) doesn't say why"
                )
                // Computed properties have braces and no value; what stands further in is local.
                for member in file.code where line(member, has: "var") {
                    let isStored = !member.contains("{") || member.contains(" = ")
                    #expect(!isStored || member.hasPrefix("        "), "\(file) stores \(member)")
                }
                expectNone(of: ["didSet", "willSet"], in: [file])
                if text.contains("class ") { expectOneConstant(in: file, among: files) }
            }
        }
        #expect(count > 0)
    }

    /// One constant is stored, or none by a class whose superclass does. Its type is a lock, or a struct
    /// or final class that says `Sendable` where the compiler checks it: the one of that name in the
    /// same file, else the one elsewhere.
    private func expectOneConstant(in file: SourceTree.File, among files: [SourceTree.File]) {
        let constants = file.code.filter { member in
            member.hasPrefix("    ") && !member.hasPrefix("     ") && line(member, has: "let")
                && !line(member, has: "static")
        }
        let inherits = file.code.contains { text in
            guard let found = text.firstMatch(of: /class (\w+): (\w+)/), found.1 == file.name else {
                return false
            }
            let declaration = "class \(found.2)"
            return files.contains { other in
                other.code.contains { line($0, has: declaration) && line($0, has: "@unchecked") }
            }
        }
        #expect(
            constants.count == 1 || (constants.isEmpty && inherits),
            "\(file) stores \(constants)"
        )
        guard let constant = constants.first, !constant.contains(" = Mutex<") else { return }
        let type = constant.split(separator: " ").last ?? ""
        func declarations(in file: SourceTree.File) -> [String] {
            file.code.filter { text in
                ["struct \(type):", "struct \(type) ", "final class \(type):"].contains {
                    text.contains($0)
                }
            }
        }
        let own = declarations(in: file)
        let found = own.isEmpty ? files.flatMap { declarations(in: $0) } : own
        #expect(!found.isEmpty, "\(file) stores \(constant), which is no type of ours")
        #expect(found.allSatisfy { $0.contains(": Sendable") }, "\(file): \(found)")
    }

    /// What is assigned by way of an optional that a type stores which can't be copied takes the place of
    /// something that the compiler (6.3) never frees. Methods of what is in the optional do no harm, nor
    /// does what has no references, or is assigned once.
    @Test func nothingIsAssignedThroughAnOptionalOfWhatCanNotBeCopied() throws {
        let files = try SourceTree.swiftFiles("Sources")
        let types = files.flatMap(\.code).compactMap { text in
            text.firstMatch(of: /struct (\w+): ~Copyable/).map { String($0.1) }
        }
        #expect(types.contains("TaskState"))
        let harmless: Set = ["phase", "sent", "sentAt", "outcome"]
        let assignment = /(?:^|[ .])\w+[?!]\.(\w+) [-+]?=\s/
        // A computed property is assigned itself.
        let computed: Set = ["webSocket", "stream"]
        for file in files {
            let isConcerned = file.code.contains { text in
                types.contains { name in
                    line(text, has: "struct \(name)") || line(text, has: "extension \(name)")
                }
            }
            guard isConcerned else { continue }
            for (number, text) in file.code.enumerated() {
                guard let found = text.firstMatch(of: assignment),
                    !harmless.contains(String(found.1)),
                    !computed.contains(where: { text.contains("\($0)?.") })
                else { continue }
                Issue.record("\(file):\(number + 1) assigns through an optional: \(text)")
            }
        }
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
        for file in try SourceTree.swiftFiles("Sources")
        where !["main", "Exports"].contains(file.name) {
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
                "https://github.com/apple/swift-log",
                "https://github.com/LebJe/TOMLKit",
            ]
        )
    }
}
