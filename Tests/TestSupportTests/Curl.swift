internal import TestSupport

/// The `curl` command: examines peers with a client that is known to work.
enum Curl {
    static let isAvailable = Executable.path("curl") != nil

    /// Runs it with a time limit of 20 s; the output is its standard output and error.
    static func run(_ arguments: String...) async throws -> (status: Int32, output: String) {
        guard let curl = Executable.path("curl") else { throw SupportError("no curl") }
        return try await NativeThread.run {
            let fixed = [curl, "--silent", "--show-error", "--disable", "--max-time", "20"]
            return try ChildProcess.run(fixed + arguments)
        }
    }
}
