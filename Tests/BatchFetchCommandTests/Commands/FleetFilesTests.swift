#if Fleet
    import Foundation
    import TestSupport
    import Testing

    /// The units and manifests in `.github/fleet`.
    @Suite(.timeLimit(.minutes(10))) struct FleetFilesTests {
        private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../.github/fleet").standardized

        private static func text(_ name: String) throws -> String {
            try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        }

        /// The words after `batchfetch fleet` in the lines of a file that aren't comments.
        private static func calls(in text: String) -> [[String]] {
            let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            return lines.flatMap { line in
                line.matches(of: #/batchfetch fleet ([^|;>]*)/#).map { match in
                    match.1.split(separator: " ").map(String.init)
                }
            }
        }

        /// Expects that a call is valid: it fails only because its database doesn't exist.
        private static func check(_ call: [String]) async throws {
            let queue = ["--queue", "host=/nowhere dbname=a"]
            let ending = try await CommandRun.ending(["fleet"] + call + queue)
            #expect(ending.status == 4, "\(call): \(ending)")
            #expect(ending.errors.contains("can't connect to PostgreSQL"), "\(call): \(ending)")
        }

        @Test("The unit of systemd starts a worker with the options of the machine")
        func unitStartsWorker() async throws {
            let options = try Self.text("fleet.env").split(separator: "\n")
                .first { $0.hasPrefix("WORKER_OPTIONS=") }?.dropFirst("WORKER_OPTIONS=".count)
            let unit = try Self.text("batchfetch-worker@.service")
                .replacing("%i", with: "may")
                .replacing("$WORKER_OPTIONS", with: try #require(options))
            let calls = Self.calls(in: unit)
            #expect(calls.count == 1)
            #expect(calls.first?.prefix(3) == ["work", "may", "--wait"])
            for call in calls { try await Self.check(call) }
        }

        @Test("The manifest of Kubernetes creates a run, adds a list, and starts workers")
        func manifestHasValidCalls() async throws {
            let manifest = try Self.text("kubernetes.yaml")
            let calls = Self.calls(in: manifest)
            #expect(calls.map(\.first) == ["status", "create", "add"])
            for call in calls { try await Self.check(call) }
            let lists = manifest.matches(of: #/args: (\[.*\])/#)
            #expect(lists.count == 1)
            for list in lists {
                let words = try JSONDecoder().decode([String].self, from: Data(list.1.utf8))
                #expect(words.first == "fleet")
                try await Self.check(Array(words.dropFirst()))
            }
        }

        @Test("The calls in the guide are valid")
        func guideHasValidCalls() async throws {
            let path = "../../Sources/BatchFetch/Documentation.docc/Fleets.md"
            let guide = try Self.text(path)
            var calls: [[String]] = []
            for (index, block) in guide.split(separator: "```").enumerated() where index % 2 == 1 {
                guard block.hasPrefix("sh\n") else { continue }
                // A shell ends a call at "&", too.
                calls += Self.calls(in: String(block).replacing("&", with: ";"))
            }
            #expect(calls.count >= 10)
            for call in calls { try await Self.check(call) }
        }
    }
#endif
