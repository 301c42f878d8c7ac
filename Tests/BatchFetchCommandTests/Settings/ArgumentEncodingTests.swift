import TestSupport
import Testing

@testable import BatchFetchCommand

/// Arguments and settings that aren't UTF-8.
@Suite(.timeLimit(.minutes(10))) struct ArgumentEncodingTests {
    @Test("The first argument that isn't UTF-8 is named by its number")
    func invalidArgumentIsNamed() {
        let name = Array("batchf\u{00E9}tch".utf8) + [0xFF, 0]
        #expect(ArgumentEncoding.objection(toArguments: []) == nil)
        #expect(ArgumentEncoding.objection(toArguments: name) == nil, "the name isn't used")
        let valid = name + Array("-o\0\0\u{FFFD}\0".utf8)
        #expect(ArgumentEncoding.objection(toArguments: valid) == nil)
        let reason = ArgumentEncoding.objection(
            toArguments: valid + [0x61, 0xE9, 0x62, 0, 0xFF, 0]
        )
        #expect(reason?.hasPrefix("argument 4, “a\u{FFFD}b”, is not UTF-8") == true)
    }

    @Test(
        "An argument that may have a secret isn't repeated",
        arguments: [
            (["--user", "u:s3cret"], "argument 2, the value of --user, is not UTF-8"),
            (["--header=A: s3cret"], "argument 1, the value of --header, is not UTF-8"),
            (["--proxy", "http://u:s3cret@h"], "argument 2, the value of --proxy, is not UTF-8"),
            (["-q", "http://u:s3cret@h/"], "argument 2, “http://…@h/"),
        ]
    )
    func secretsAreNotRepeated(arguments: [String], beginning: String) {
        var bytes = Array((["batchfetch"] + arguments).joined(separator: "\0").utf8)
        bytes += [0xE9, 0]
        let reason = ArgumentEncoding.objection(toArguments: bytes)
        #expect(reason?.hasPrefix(beginning) == true, "\(reason ?? "")")
        #expect(reason?.contains("s3cret") == false)
    }

    @Test("A setting of the environment that isn't UTF-8 is named; other variables are ignored")
    func invalidVariableIsNamed() {
        let other = Array("LANG=".utf8) + [0xFF, 0] + Array("BATCHFETCH_OUT=\u{FFFD}\0".utf8)
        #expect(ArgumentEncoding.objection(toEnvironment: other) == nil)
        let setting = Array("BATCHFETCH_OUTPUT=".utf8) + [0xFF, 0]
        let reason = ArgumentEncoding.objection(toEnvironment: other + setting)
        #expect(
            reason?.hasPrefix("the environment variable BATCHFETCH_OUTPUT is not UTF-8") == true
        )
    }

    @Test(
        "Given a file name that isn't UTF-8, then the command exits with 2 and says so",
        arguments: [
            #"exec "$0" --discard "$(printf 'li\351st')""#,
            #"exec "$0" --discard "--results=$(printf 'r\377')" list"#,
            #"exec env "BATCHFETCH_RESULTS=$(printf 'r\377')" "$0" --discard list"#,
        ]
    )
    func commandRefusesOtherEncodings(script: String) async throws {
        let program = try CommandRun.executable()
        let (status, output) = try await NativeThread.run {
            try ChildProcess.run(["/bin/sh", "-c", script, program])
        }
        #expect(status == 2, "\(output)")
        #expect(output.contains("is not UTF-8"), "\(output)")
        #expect(output.contains("ln -s"), "\(output)")
    }
}
