import TestSupport
import Testing

@testable import BatchFetchCommand

/// The programs that format manual pages.
private enum Formatter {
    static let man = Executable.path("man")
    static let groff = Executable.path("groff")
    static var isInstalled: Bool { man != nil || groff != nil }
}

/// The manual page as man and groff format it.
@Suite(.enabled(if: Formatter.isInstalled), .timeLimit(.minutes(10)))
struct ManualFormatTests {
    let folder: TemporaryDirectory
    let page: String

    init() throws {
        folder = try TemporaryDirectory()
        page = try folder.write(try ManualPage().source, to: "batchfetch.1")
    }

    /// The commands that format the page for a terminal, with warnings.
    private var formatters: [[String]] {
        var commands: [[String]] = []
        if let man = Formatter.man {
            commands.append([man, "--warnings=w", "-P", "cat", "-l", page])
        }
        if let groff = Formatter.groff {
            commands.append([groff, "-man", "-Tutf8", "-ww", "-P-cbou", page])
            commands.append([groff, "-man", "-Tascii", "-ww", "-P-cbou", page])
        }
        return commands
    }

    @Test("The page is formatted without warnings, and shows each option")
    func pageIsFormattedWithoutWarnings() async throws {
        let names = try (CommandDescription(of: FetchCommand.self).arguments ?? [])
            .flatMap { $0.names ?? [] }.map(\.text)
        #expect(names.count > 60)
        for formatter in formatters {
            let (status, text) = try await NativeThread.run {
                // Wide enough that no option is broken at the end of a line.
                try ChildProcess.run(formatter, environment: ["MANWIDTH": "200"])
            }
            #expect(status == 0, "\(formatter)")
            #expect(!text.contains("troff:"), "\(text)")
            let words = Set(text.split { $0.isWhitespace || $0 == "," }.map(String.init))
            for name in names { #expect(words.contains(name), "\(name), by \(formatter)") }
            #expect(text.contains("EXIT STATUS") && text.contains("ENVIRONMENT"))
        }
    }
}
