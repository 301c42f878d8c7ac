import TestSupport
import Testing

@testable import BatchFetch
@testable import BatchFetchCommand

/// The arguments that settings of files and the environment add.
@Suite struct SettingArgumentsTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func arguments(
        _ given: [String],
        _ environment: [String: String] = [:]
    ) throws -> [String] {
        try SettingArguments(given, environment: environment).arguments
    }

    private func file(_ text: String) throws -> String {
        try folder.write(text, to: "settings.toml")
    }

    @Test("Without settings, the command's arguments are unchanged")
    func withoutSettingsNothingIsAdded() throws {
        let settings = try SettingArguments(["-x", "--nonsense"], environment: ["PATH": "/bin"])
        #expect(settings.arguments == ["-x", "--nonsense"] && settings.sources == [])
        #expect(try arguments(["x"], ["BATCHFETCH_OUT": ""]) == ["x"], "empty counts as unset")
        #expect(try arguments(["x"], ["BATCHFETCH_CONFIG": ""]) == ["x"])
    }

    @Test("Settings of the file come first, then the environment's, then the arguments")
    func laterSourcesComeLater() throws {
        let path = try file("per-host = 3\nretries = 1\n")
        let settings = try SettingArguments(
            ["--config", path, "x"],
            environment: ["BATCHFETCH_RETRIES": "2", "BATCHFETCH_OUT": "{file}"]
        )
        #expect(
            settings.arguments == [
                "--per-host=3", "--out={file}", "--retries=2", "--config", path, "x",
            ]
        )
        #expect(settings.sources == ["the environment", "“\(path)”"])
    }

    @Test("An option in the arguments, in any form, replaces its setting")
    func givenOptionRemovesTheSetting() throws {
        let environment = ["BATCHFETCH_OUTPUT": "o"]
        for given in [["--output", "p"], ["--output=p"], ["-o", "p"], ["-op"], ["-qo", "p"]] {
            #expect(try arguments(given, environment) == given, "\(given)")
        }
        // A value, or what follows `--`, is no option.
        for given in [["--", "--output"], ["--out", "--output"], ["output"], ["-"]] {
            #expect(try arguments(given, environment) == ["--output=o"] + given, "\(given)")
        }
    }

    @Test("An option in the arguments removes the settings that it conflicts with")
    func givenOptionRemovesExcludedSettings() throws {
        let environment = [
            "BATCHFETCH_OUTPUT": "o", "BATCHFETCH_TAR": "1G", "BATCHFETCH_RETRIES": "1",
        ]
        #expect(
            try arguments(["--discard"], environment)
                == ["--retries=1", "--tar=1G", "--discard"]
        )
        #expect(
            try arguments(["--stdout-jsonl"], environment) == ["--retries=1", "--stdout-jsonl"]
        )
        let path = try file("discard = true\ntar = \"2G\"\n")
        #expect(
            try arguments(["--config=\(path)"], ["BATCHFETCH_OUTPUT": "o"])
                == ["--tar=2G", "--output=o", "--config=\(path)"]
        )
    }

    @Test(
        "The words for true and false turn a flag on and off",
        arguments: [
            ("1", "--breaker"), ("true", "--breaker"), ("YES", "--breaker"), ("On", "--breaker"),
            ("0", "--no-breaker"), ("false", "--no-breaker"), ("no", "--no-breaker"),
            ("OFF", "--no-breaker"),
        ]
    )
    func flagIsTurnedOnAndOff(word: String, argument: String) throws {
        #expect(try arguments([], ["BATCHFETCH_BREAKER": word]) == [argument])
    }

    @Test("A false setting of a flag without a “no-” form is ignored")
    func flagWithoutOffNameIsLeftOut() throws {
        #expect(try arguments([], ["BATCHFETCH_QUIET": "false"]) == [])
        #expect(try arguments([], ["BATCHFETCH_QUIET": "true"]) == ["--quiet"])
    }

    @Test("A repeated setting has several values, separated by semicolons or in an array")
    func repeatedSettingHasSeveralValues() throws {
        let rules = "a.org: rate=1/s ;  b.org: rate=2/s"
        let expected = ["--host-rule=a.org: rate=1/s", "--host-rule=b.org: rate=2/s"]
        #expect(try arguments([], ["BATCHFETCH_HOST_RULE": rules]) == expected)
        let path = try file("host-rule = [\"a.org: rate=1/s\", \"b.org: rate=2/s\"]")
        #expect(try arguments(["--config", path]) == expected + ["--config", path])
        let one = try file("host-rule = \"a.org: rate=1/s\"")
        #expect(try arguments(["--config", one]) == [expected[0], "--config", one])
    }

    @Test("The last --config names the settings file, except after `--`")
    func lastSettingsFileCounts() throws {
        let path = try file("retries = 7\n")
        let missing = folder.path("missing")
        #expect(try arguments(["--config", missing, "--config=\(path)"]).first == "--retries=7")
        #expect(try arguments(["--", "--config", missing]) == ["--", "--config", missing])
        #expect(
            try arguments(["--config", path], ["BATCHFETCH_CONFIG": missing]).first == "--retries=7"
        )
        let failure = #expect(throws: BatchFailure.self) {
            _ = try arguments(["--config", missing])
        }
        #expect(failure?.code == .configuration && failure?.message.contains(missing) == true)
    }

    @Test("Hexadecimal and grouped numbers of a settings file become decimal arguments")
    func numbersAreWrittenAsOptionsTakeThem() throws {
        let path = try file("retries = 0x10\ntimeout = 2.5\nper-host = 1_000\n")
        #expect(
            try arguments(["--config", path]).dropLast(2)
                == ["--per-host=1000", "--retries=16", "--timeout=2.5"]
        )
    }

    @Test("A settings file that is too long, not UTF-8 or has a NUL is an error")
    func fileOfSettingsIsLimited() throws {
        for (bytes, reason) in [
            ([0xff, 0x0a], "is not UTF-8"),
            (Array("out = \"a\0\"".utf8), "line 1: a setting contains a NUL"),
            ([UInt8](repeating: 0x23, count: (1 << 20) + 1), "is longer than 1 MiB"),
        ] {
            let path = try folder.write(bytes, to: "bad.toml")
            let failure = #expect(throws: BatchFailure.self) {
                _ = try arguments(["--config", path])
            }
            #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
            #expect(failure?.message.contains("“\(path)”") == true)
        }
        let longest = try folder.write([UInt8](repeating: 0x23, count: 1 << 20), to: "long.toml")
        #expect(try arguments(["--config", longest]) == ["--config", longest])
    }

    @Test("Each setting has its own environment variable, and an unknown key gets advice")
    func everySettingHasOneVariable() throws {
        let catalog = try SettingCatalog()
        #expect(Set(catalog.settings.map(\.variable)).count == catalog.settings.count)
        #expect(catalog["per-host"]?.variable == "BATCHFETCH_PER_HOST")
        #expect(catalog["breaker"]?.offName == "no-breaker" && catalog["no-breaker"] == nil)
        #expect(catalog["help"] == nil && catalog["config"] == nil && catalog["c"] == nil)
        #expect(catalog.advice(for: "no-breaker") == "write breaker = false")
        #expect(catalog.advice(for: "c") == "write concurrency")
        #expect(
            catalog.advice(for: "x") == "use the long name of an option, without its hyphens"
        )
    }
}
