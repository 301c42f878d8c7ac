internal import Foundation
internal import TestSupport

/// A run of `SessionProbe`, which is built beside the tests.
struct SessionProbeRun {
    let status: Int32
    let output: String

    /// Runs the probe to its end, without holding up other tests.
    init(_ arguments: [String]) async throws {
        let program = try BuiltProducts.path("SessionProbe")
        (status, output) = try await NativeThread.run("probe") {
            try ChildProcess.run([program] + arguments)
        }
    }

    /// The number that the probe has printed under this name.
    func value(_ name: String) -> Int? {
        for line in output.split(separator: "\n") where line.hasPrefix(name + "=") {
            return Int(line.dropFirst(name.count + 1))
        }
        return nil
    }
}
