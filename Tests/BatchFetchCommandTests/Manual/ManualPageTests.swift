import Foundation
import TestSupport
import Testing

@testable import BatchFetchCommand

/// Swift Testing has a type of the same name.
private typealias Status = BatchFetchCommand.ExitStatus

/// The page that `batchfetch man` prints.
@Suite(.timeLimit(.minutes(10))) struct ManualPageTests {
    @Test("The page has the usual sections in their usual order")
    func sectionsAreInOrder() throws {
        let lines = try ManualPage().source.split(separator: "\n")
        let titles = lines.filter { $0.hasPrefix(".SH ") }.map { $0.dropFirst(5).dropLast() }
        let usual: [Substring] = [
            "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "EXIT STATUS", "ENVIRONMENT",
            "FILES", "EXAMPLES",
        ]
        #expect(titles.filter { usual.contains($0) } == usual, "\(titles)")
        #expect(titles.contains("SIGNALS") && titles.contains("SETTINGS"))
        #expect(Set(titles).count == titles.count)
        #expect(lines.first?.hasPrefix(".TH BATCHFETCH 1 ") == true)
        #expect(lines.contains { $0.hasPrefix("batchfetch \\- fetches many URLs at once") })
    }

    @Test("The page has each option with its value, default value and explanation")
    func everyOptionIsListed() throws {
        let page = try ManualPage().source
        // Options within the text are bold.
        let plain = page.replacing(/\\f[BIR]/, with: "")
        var count = 0
        for command in try [
            CommandDescription(of: FetchCommand.self), CommandDescription(of: ReportCommand.self),
            CommandDescription(of: FleetCommand.self),
            CommandDescription(of: DemoCommand.self), CommandDescription(of: ManualCommand.self),
        ] {
            for argument in command.arguments ?? [] where argument.shouldDisplay {
                for name in argument.names ?? [] {
                    #expect(page.contains(RoffText.bold(name.text)), "\(name.text)")
                    count += 1
                }
                if let value = argument.valueName, argument.kind != .flag {
                    #expect(page.contains(RoffText.italic(value)), "\(value)")
                }
                if let abstract = argument.abstract {
                    let words = abstract.split(separator: " ").prefix(2).joined(separator: " ")
                    #expect(plain.contains(RoffText.escaped(words)), "\(words)")
                }
            }
        }
        #expect(count > 60)
        #expect(page.contains("\\fB\\-o\\fR, \\fB\\-\\-output\\fR \\fIdir\\fR"))
        #expect(page.contains("\\fB\\-\\-http2\\fR, \\fB\\-\\-no\\-http2\\fR\n"))
        #expect(page.contains("(values: auto, lines, jsonl, csv, tsv, aria2; default: auto)"))
    }

    @Test("The page has the exit statuses of the help, and the variable of each setting")
    func statusesAndVariablesAreListed() throws {
        let page = try ManualPage().source
        for status: Status in [
            .success, .someFailed, .usage, .input, .output, .timeLimit,
            .interrupted(signal: SIGINT), .interrupted(signal: SIGTERM),
        ] {
            #expect(page.contains(".TP\n\\fB\(status.code)\\fR\n"), "\(status)")
        }
        for setting in try SettingCatalog().settings {
            #expect(page.contains("\\fB\(setting.variable)\\fR"), "\(setting.variable)")
        }
        for name in [
            "BATCHFETCH_CONFIG", "TMPDIR", "http_proxy", "https_proxy", "no_proxy",
            "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "HOME",
        ] {
            #expect(page.contains(RoffText.bold(name)), "\(name)")
        }
    }

    @Test("The page is ASCII, and ends with a line feed")
    func pageIsPlain() throws {
        let page = try ManualPage().source
        #expect(page.utf8.allSatisfy { $0 == 0x0A || (0x20...0x7E).contains($0) })
        #expect(page.hasSuffix("\n"))
    }

    @Test("The command prints the page, and needs no other arguments")
    func commandPrintsThePage() async throws {
        let ending = try await CommandRun.ending("man")
        #expect(ending.status == 0 && ending.errors == "", "\(ending)")
        #expect(ending.output == (try ManualPage().source))
        let wrong = try await CommandRun.ending("man", "1")
        #expect(wrong.status == 2 && wrong.errors.contains("'1'"), "\(wrong)")
    }

    @Test("Given a full disk, then the command exits with 4")
    func fullDiskExitsWith4() async throws {
        let program = try CommandRun.executable()
        let (status, output) = try await NativeThread.run {
            try ChildProcess.run(["/bin/sh", "-c", "exec \"$0\" man > /dev/full", program])
        }
        #expect(status == 4, "\(output)")
        #expect(output.contains("No space left on device"), "\(output)")
    }
}
