internal import Foundation
internal import TestSupport
internal import Testing

/// What the scripts, and the program of the tests, need.
private enum Tools {
    static let compiler = Executable.path("clang") ?? Executable.path("cc")
    private static let packaging = ["dpkg-deb", "dpkg-shlibdeps", "strip"]
        .map { Executable.path($0) }
    static var areInstalled: Bool { compiler != nil && !packaging.contains(nil) }
}

/// Runs the scripts that make and install the Debian package, with a small program as `batchfetch`.
@Suite(.enabled(if: Tools.areInstalled), .timeLimit(.minutes(10)))
struct PackageScriptTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    /// Compiles a program that prints what the script asks `batchfetch` for.
    private func program(version: String = "0.1.0", page: String = "a page") async throws -> String
    {
        let source = try folder.write(
            """
            #include <stdio.h>
            #include <string.h>
            int main(int count, char **words) {
                if (count < 2) return 2;
                if (!strcmp(words[1], "--version")) puts("\(version)");
                else if (!strcmp(words[1], "man")) fputs("\(page)", stdout);
                else printf("%s for %s\\n", words[1], words[count - 1]);
                return 0;
            }
            """,
            to: "program.c"
        )
        let program = folder.path("program")
        let (status, output) = try await run([Tools.compiler ?? "cc", source, "-o", program])
        try #require(status == 0, "\(output)")
        return program
    }

    private func run(
        _ arguments: [String],
        _ environment: [String: String] = [:]
    ) async throws -> (status: Int32, output: String) {
        let directory = folder.path
        return try await NativeThread.run {
            try ChildProcess.run(arguments, environment: environment, directory: directory)
        }
    }

    private func package(
        _ arguments: [String],
        _ environment: [String: String] = [:]
    ) async throws -> (status: Int32, output: String) {
        let script = SourceTree.root.appendingPathComponent(".github/package").path
        let maintainer = ["DEBFULLNAME": "A. Maintainer", "DEBEMAIL": "a@example.org"]
        return try await run([script] + arguments, maintainer.merging(environment) { $1 })
    }

    @Test("A built program is packed with its manual page and completions, twice the same way")
    func packageIsReproducible() async throws {
        let program = try await program()
        var packages: [[UInt8]] = []
        for name in ["first folder", "second"] {
            // Settings of the caller aren't those of the program.
            let (status, output) = try await package(
                ["--binary", "program", "--output", name],
                ["BATCHFETCH_UNKNOWN": "1"]
            )
            try #require(status == 0, "\(output)")
            let path = try #require(output.split(separator: "\n").last.map(String.init))
            #expect(path.hasPrefix(folder.path(name) + "/batchfetch_0.1.0-1_"), "\(output)")
            #expect(try TemporaryDirectory.files(in: folder.path(name)).count == 1)
            packages.append(try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))))
            if packages.count == 1 { try await expectContents(of: path, program) }
        }
        #expect(packages.first == packages.last)
    }

    private func expectContents(of package: String, _ program: String) async throws {
        let fields = try await run(["/usr/bin/dpkg-deb", "--field", package]).output
        #expect(fields.contains("\nVersion: 0.1.0-1\n"), "\(fields)")
        #expect(fields.contains("\nMaintainer: A. Maintainer <a@example.org>\n"), "\(fields)")
        #expect(
            fields.contains("\nDepends: ca-certificates, libcurl4 (>= 7.88), libc6 ("),
            "\(fields)"
        )
        let listing = try await run(["/usr/bin/dpkg-deb", "--contents", package]).output
        for line in listing.split(separator: "\n") {
            #expect(line.contains(" root/root "), "\(line)")
        }
        let root = folder.path("root")
        _ = try await run(["/usr/bin/dpkg-deb", "--extract", package, root])
        let files = try TemporaryDirectory.files(in: root).sorted()
        #expect(
            files == [
                "usr/bin/batchfetch", "usr/share/bash-completion/completions/batchfetch",
                "usr/share/doc/batchfetch/changelog.Debian.gz",
                "usr/share/doc/batchfetch/changelog.gz", "usr/share/doc/batchfetch/copyright",
                "usr/share/fish/vendor_completions.d/batchfetch.fish",
                "usr/share/man/man1/batchfetch.1.gz",
                "usr/share/zsh/vendor-completions/_batchfetch",
            ]
        )
        let script = try folder.read("root/usr/share/zsh/vendor-completions/_batchfetch")
        #expect(String(decoding: script, as: UTF8.self) == "--generate-completion-script for zsh\n")
        let page = root + "/usr/share/man/man1/batchfetch.1.gz"
        #expect(try await run(["/bin/zcat", page]).output == "a page\n")
        #expect(try await run([root + "/usr/bin/batchfetch", "--version"]).output == "0.1.0\n")
    }

    @Test("A program that prints no page, or has no day in CHANGELOG.md, isn't packed")
    func wrongProgramIsRefused() async throws {
        _ = try await program(page: "")
        var (status, output) = try await package(["--binary", "program", "--output", "out"])
        #expect(status == 1 && output.contains("program man printed nothing"), "\(output)")
        _ = try await program(version: "0.0.0")
        (status, output) = try await package(["--binary", "program", "--output", "out"])
        #expect(status == 1 && output.contains("has no day for 0.0.0"), "\(output)")
        (status, output) = try await package(["--binary", "missing", "--output", "out"])
        #expect(status == 1 && output.contains("missing is no program"), "\(output)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
    }

    @Test("Given wrong arguments, then the scripts print their usage and exit with 2")
    func wrongArgumentsExitWith2() async throws {
        for arguments in [["--output"], ["--folder", "x"], ["x"], ["--binary", ""]] {
            let (status, output) = try await package(arguments)
            #expect(status == 2 && output.hasPrefix("usage: .github/package"), "\(output)")
        }
        let script = SourceTree.root.appendingPathComponent(".ci/install").path
        var (status, output) = try await run([script])
        #expect(status == 2 && output.hasPrefix("usage: .ci/install FILE.deb"), "\(output)")
        (status, output) = try await run([script, try folder.write("x", to: "x.deb")])
        #expect(status == 1 && output.contains("x.deb is no package"), "\(output)")
    }
}
