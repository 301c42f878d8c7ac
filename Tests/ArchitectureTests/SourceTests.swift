internal import Foundation
internal import Testing

@Suite struct SourceTests {
    /// Whether `line` contains `word` as a whole word.
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

    /// It keeps libpsl's pointer.
    private static let publicSuffixList = "Sources/PublicSuffix/PublicSuffixList.swift"

    /// The files where unsafe code is allowed: each wraps a C library other than libcurl, or a
    /// Foundation API that takes or returns bytes by pointer, or is declared `unowned(unsafe)`.
    private static let unsafeFiles: Set = [
        "Sources/BatchFetch/Archive/GzipEncoder.swift",
        "Sources/BatchFetch/Checksum/CRC32.swift",
        "Sources/BatchFetch/Input/GzipDecoder.swift",
        "Sources/BatchFleet/Database/PostgresHandle.swift",
        "Sources/CurlNetworking/RequestSerialization/Multipart/MultipartBodyStream.swift",
        "Sources/CurlNetworking/ResponseSerialization/PropertyListReader.swift",
        "Sources/CurlURLSession/Support/Data+Span.swift",
        "Sources/CurlURLSession/Support/InputStream+Bytes.swift",
        "Sources/CurlURLSession/Cache/SQLite/SQLiteConnection.swift",
        "Sources/CurlURLSession/Tasks/Delegates/DelegateEvents.swift",
        "Sources/CurlURLSession/Tasks/Stream/CapturedInputStream.swift",
        "Sources/CurlURLSession/Tasks/Stream/CapturedOutputStream.swift",
        "Sources/HTTPSemantics/Digests/MessageDigest.swift",
        "Sources/HTTPSemantics/Keys/IdentityCheck.swift",
        publicSuffixList,
    ]

    @Test func unsafeCodeIsInOneTarget() throws {
        let files = try SourceTree.swiftFiles("Sources").filter {
            !$0.path.hasPrefix("Sources/Curl/") && !$0.path.hasPrefix("Sources/Posix/")
                && !Self.unsafeFiles.contains($0.path)
                && !$0.path.hasPrefix("Sources/ContentCoding/")
                && !$0.path.hasPrefix("Sources/CurlNetworking/Security/OpenSSL/")
        }
        expectNone(of: ["unsafe", "@unsafe", "@safe"], in: files)
        // The search does find unsafe code where it is allowed.
        let curl = try SourceTree.swiftFiles("Sources/Curl")
        #expect(curl.contains { $0.code.contains { line($0, has: "unsafe") } })
    }

    @Test func sourcesHaveNoTrapsAndNoUnsafeConstructs() throws {
        expectNone(
            of: [
                "nonisolated(unsafe)", "try!", "as!", "fatalError",
                "preconditionFailure", "precondition", "unowned(unsafe)", "@preconcurrency",
                "unsafeBitCast", "usleep", "nanosleep",
            ],
            in: try SourceTree.swiftFiles("Sources")
        )
        // Foundation's API promises its queues, and AFNetworking's the main queue.
        let files = try SourceTree.swiftFiles("Sources").filter { !Self.hasQueues($0) }
        expectNone(of: ["DispatchQueue"], in: files)
    }

    @Test func noTestSleeps() throws {
        let tests = try SourceTree.swiftFiles("Tests").filter { $0.name != "SourceTests" }
        #expect(!tests.isEmpty)
        expectNone(of: ["sleep(", "usleep(", "nanosleep(", "sched_yield("], in: tests)
        let spinning = #/(?:while|repeat)[^{}]*\{\s*await Task\.yield\(\)\s*\}/#
        for file in tests {
            let found = file.text.firstMatch(of: spinning).map { String($0.0) }
            #expect(found == nil, "\(file) spins")
        }
        // These two poll for conditions that no event announces.
        let checking = ["Inspection", "ProcessFacts"]
        expectNone(of: ["poll(nil"], in: tests.filter { !checking.contains($0.name) })
    }

    /// Whether a file belongs to the layers whose API uses Foundation's queues.
    private static func hasQueues(_ file: SourceTree.File) -> Bool {
        ["CurlURLSession", "CurlNetworking", "CurlNetworkingXML"].contains {
            file.path.hasPrefix("Sources/\($0)/")
        }
    }

    /// libcurl would call it several times a second per transfer, even for idle ones.
    @Test("B8: No transfer uses libcurl's progress callback")
    func noTransferUsesLibcurlsProgressCallback() throws {
        let files = try SourceTree.swiftFiles("Sources")
        let names = "Sources/Curl/Options/EasyOption+LibcurlOptions.swift"
        let words = [".noProgress", "CURLOPT_XFERINFOFUNCTION", "CURLOPT_PROGRESSFUNCTION"]
        expectNone(of: words, in: files.filter { $0.path != names })
    }

    /// A transfer with a timeout stores its deadline, and the loop waits until the earliest
    /// deadline.
    @Test("B4: Receiving a piece of a body creates no timer")
    func receivedBodyPiecesCreateNoTimers() throws {
        let files =
            try SourceTree.swiftFiles("Sources/Curl") + SourceTree.swiftFiles("Sources/Posix")
            + SourceTree.swiftFiles("Sources/CurlTransport")
        let words = ["DispatchSource", "timerfd_create", "timer_create", "setitimer", "asyncAfter"]
        // These wait between pings, between connections, for the end of a shutdown and for the
        // statistics of loops, and receive no body meanwhile.
        let waiting = [
            "WebSocketKeepAlive", "ServerSentEventReader", "HTTPClient+Lifetime",
            "Transport+Statistics",
        ]
        expectNone(of: words + ["sleep"], in: files.filter { !waiting.contains($0.name) })
        #expect(files.contains { $0.code.contains { line($0, has: "epoll_wait") } })
        // The only timer is `LoadTimer`. A load by a user's `URLProtocol` has one, which each piece
        // reschedules; a task has one while its delegate is asked a question or while the task
        // waits.
        let timers = try SourceTree.swiftFiles("Sources/CurlURLSession").filter { file in
            file.code.contains { line($0, has: "makeTimerSource") }
        }
        #expect(timers.map(\.name) == ["LoadTimer"])
    }

    /// A class that may be subclassed, as Foundation's may, can't be `Sendable` with the compiler's
    /// proof. Each such class therefore states its proof, and has no stored property that can be
    /// assigned.
    @Test("A-42: Every `@unchecked Sendable` has a written proof")
    func uncheckedSendableHasWrittenProof() throws {
        let isExempt = { Self.hasQueues($0) }
        let files = try SourceTree.swiftFiles("Sources")
        expectNone(of: ["@unchecked"], in: files.filter { !isExempt($0) })
        var count = 0
        for file in files where isExempt(file) {
            for (number, text) in file.code.enumerated() where line(text, has: "@unchecked") {
                count += 1
                let comment = file.lines[..<number].reversed().prefix { $0.contains("//") }
                #expect(
                    comment.contains {
                        $0.contains(" // `@unchecked Sendable`: ")
                            || $0.hasPrefix("// `@unchecked Sendable`: ")
                    },
                    "\(file):\(number + 1) doesn't say why"
                )
                let declaration = declaration(at: number, in: file)
                // A computed property has braces and no value; a `var` that is indented further is
                // local.
                for member in declaration where line(member, has: "var") {
                    let isStored = !member.contains("{") || member.contains(" = ")
                    #expect(!isStored || member.hasPrefix("        "), "\(file) stores \(member)")
                }
                expectNone(of: ["didSet", "willSet"], in: [file])
                if text.contains("class ") {
                    expectOneConstant(in: declaration, of: file, among: files)
                }
            }
        }
        #expect(count > 0)
    }

    /// The lines of the type that is declared in a line, as if it weren't indented. An extension
    /// may not declare the conformance, because the stored properties are elsewhere.
    private func declaration(at number: Int, in file: SourceTree.File) -> [String] {
        let rest = file.code[number...]
        let indentation = rest.first.map { $0.prefix { $0 == " " } } ?? ""
        #expect(rest.first?.contains("extension ") == false, "\(file):\(number + 1)")
        guard let end = rest.firstIndex(of: indentation + "}") else { return Array(rest) }
        return rest[...end].map { String($0.dropFirst(indentation.count)) }
    }

    /// Expects one stored constant, or none if the superclass stores it. Its type is a lock, or a
    /// struct or final class whose `Sendable` the compiler checks: the declaration of that name in
    /// the same file, otherwise the one elsewhere.
    private func expectOneConstant(
        in declaration: [String],
        of file: SourceTree.File,
        among files: [SourceTree.File]
    ) {
        let constants = declaration.filter { member in
            member.hasPrefix("    ") && !member.hasPrefix("     ") && line(member, has: "let")
                && !line(member, has: "static")
        }
        let inherits = declaration.prefix(1).contains { text in
            guard let found = text.firstMatch(of: /class \w+: (\w+)/) else { return false }
            let declaration = "class \(found.1)"
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

    /// No property may be assigned through an optional of a noncopyable type. The compiler (6.3)
    /// leaks the old value if the optional is stored in such a type. Calling a method of the
    /// optional's value doesn't leak, nor does assigning a value without references, or assigning
    /// only once.
    @Test func noAssignmentThroughOptionalOfNoncopyableType() throws {
        let files = try SourceTree.swiftFiles("Sources")
        let types = files.flatMap(\.code).compactMap { text in
            text.firstMatch(of: /struct (\w+): ~Copyable/).map { String($0.1) }
        }
        #expect(types.contains("TaskState"))
        let harmless: Set = ["phase", "sent", "sentAt", "outcome"]
        let assignment = /(?:^|[ .])\w+[?!]\.(\w+) [-+]?=\s/
        // For a computed property the assignment runs its setter.
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

    @Test func noFileIsTooLong() throws {
        for (folder, limit) in [("Sources", 400), ("Tests", 400), ("Benchmarks", 400)] {
            for file in try SourceTree.swiftFiles(folder) {
                // A newline ends the last line.
                let count = file.lines.count - 1
                #expect(count <= limit, "\(file) has \(count) lines")
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

    @Test func fileIsNamedAfterADeclaredType() throws {
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

    @Test func everyOptionNamesItsDocumentation() throws {
        let path = SourceTree.root.appendingPathComponent(
            "Sources/Curl/Options/EasyOption+LibcurlOptions.swift"
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
            // The option is on this line, or on the next if the line is too long.
            let body = line + (index + 1 < lines.count ? lines[index + 1] : "")
            if let option = body.firstMatch(of: /\((CURLOPT_[A-Z0-9_]+)\)/) {
                #expect(option.1 == link.1, "\(line)")
            }
        }
        #expect(count > 50)
    }

    /// A program that names no trait resolves the first two alone: `.ci/consumers` shows it.
    @Test func manifestHasNoHeavyDependency() throws {
        let path = SourceTree.root.appendingPathComponent("Package.swift")
        let manifest = try String(contentsOf: path, encoding: .utf8)
        let packages = manifest.matches(of: /\.package\(\s*url: "([^"]+)"/).map { String($0.1) }
        #expect(
            Set(packages) == [
                "https://github.com/apple/swift-http-types",
                "https://github.com/apple/swift-collections",
                "https://github.com/apple/swift-argument-parser",
                "https://github.com/apple/swift-log",
                // `CurlServices` connects a client with these.
                "https://github.com/apple/swift-metrics",
                "https://github.com/apple/swift-distributed-tracing",
                "https://github.com/swift-server/swift-service-lifecycle",
                "https://github.com/apple/swift-configuration",
            ]
        )
    }
}
