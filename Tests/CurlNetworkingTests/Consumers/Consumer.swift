internal import Foundation
internal import TestSupport

/// A program of the package `Tests/Consumers`. `.ci/consumers` builds it and passes its folder in
/// `CURLNETWORKING_CONSUMERS`.
struct Consumer {
    private static let folder = ProcessInfo.processInfo.environment["CURLNETWORKING_CONSUMERS"]

    static var areBuilt: Bool { folder != nil }

    let name: String

    /// Runs the program to its end without blocking other tests.
    func run(_ arguments: String...) async throws -> (status: Int32, output: String) {
        try await run(arguments: arguments)
    }

    /// Starts the program.
    func start(_ arguments: String...) throws -> ChildProcess {
        try ChildProcess([path()] + arguments)
    }

    /// Runs the program to its end without blocking other tests.
    func run(arguments: [String]) async throws -> (status: Int32, output: String) {
        let program = try path()
        return try await NativeThread.run("consumer") {
            try ChildProcess.run([program] + arguments)
        }
    }

    /// The libraries that the program is linked with, including indirect ones.
    func libraries() async throws -> Set<String> {
        let program = try path()
        let (status, output) = try await NativeThread.run("ldd") {
            try ChildProcess.run([Executable.path("ldd") ?? "ldd", program])
        }
        guard status == 0 else { throw SupportError("ldd: \(output)") }
        let names = output.split(separator: "\n").compactMap { line in
            line.split(whereSeparator: { " \t".contains($0) }).first
        }
        return Set(names.map(String.init))
    }

    private func path() throws -> String {
        guard let folder = Self.folder else { throw SupportError("no consumers are built") }
        return folder + "/" + name
    }
}
