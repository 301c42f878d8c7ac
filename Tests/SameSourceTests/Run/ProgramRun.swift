internal import Foundation
internal import TestSupport

/// A run of one of the programs, against its own server.
struct ProgramRun: Sendable {
    /// The exit status; 128 or more is a signal, 137 the limit.
    let status: Int32
    let output: String
    let transcript: Transcript

    static let killed: Int32 = 128 + 9

    /// Runs a program, or some of its steps, to its end or to the limit.
    init(
        _ module: Module,
        _ program: String,
        steps: [String] = [],
        limit: Duration = .seconds(300)
    ) async throws {
        let service = Service()
        let server = try LoopbackServer { service.reply(to: $0) }
        let executable = try Self.executable(module)
        let arguments = [executable, program, server.url] + steps
        let home = try TemporaryDirectory()
        (status, output) = try await NativeThread.run(program) {
            let process = try ChildProcess(
                arguments,
                environment: [
                    // The program reads and writes none of the user's files.
                    "HOME": home.path, "TMPDIR": home.path, "XDG_DATA_HOME": home.path,
                    "XDG_CACHE_HOME": home.path,
                    // Without a backtrace, a trap ends the process by its signal.
                    "SWIFT_BACKTRACE": "enable=no",
                ]
            )
            let status = process.waitForEnd(atMost: limit)
            return (status, process.output)
        }
        service.openAll()
        transcript = Transcript(output)
    }

    /// The path of the executable, which SwiftPM puts beside the tests.
    private static func executable(_ module: Module) throws -> String {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        for candidate in [own] + CommandLine.arguments {
            var folder = URL(fileURLWithPath: candidate)
            for _ in 0..<4 {
                folder.deleteLastPathComponent()
                let path = folder.appendingPathComponent(module.rawValue).path
                if FileManager.default.isExecutableFile(atPath: path) { return path }
            }
        }
        throw SupportError("\(module.rawValue) isn't built beside \(own)")
    }
}
