internal import Foundation

/// A run of a probe: a program that is built beside the tests, does one thing in a process of its own,
/// and prints what came of it as lines of `key=value`.
package struct ProbeRun: Sendable {
    /// Its exit status; 128 and more is a signal.
    package let status: Int32
    package let output: String

    /// Runs the probe to its end, without holding up other tests.
    ///
    /// - Parameter environment: On top of what every child has.
    package init(
        _ name: String,
        _ arguments: [String],
        environment: [String: String] = [:]
    ) async throws {
        let program = try BuiltProducts.path(name)
        (status, output) = try await NativeThread.run("probe") {
            try ChildProcess.run([program] + arguments, environment: environment)
        }
    }

    /// The number that the probe has printed under this name.
    package func value(_ name: String) -> Int? {
        for line in output.split(separator: "\n") where line.hasPrefix(name + "=") {
            return Int(line.dropFirst(name.count + 1))
        }
        return nil
    }
}
