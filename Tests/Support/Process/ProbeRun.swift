internal import Foundation

/// A run of a probe program that is built with the tests.
///
/// A probe does one thing in its own process, and prints the results as lines of `key=value`.
package struct ProbeRun: Sendable {
    /// The exit status, or 128 plus the signal that ended it.
    package let status: Int32
    package let output: String

    /// Runs the probe until it ends, without blocking other tests.
    ///
    /// - Parameter environment: Added to the variables that every child has.
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

    /// The number that the probe has printed for this key.
    package func value(_ name: String) -> Int? {
        for line in output.split(separator: "\n") where line.hasPrefix(name + "=") {
            return Int(line.dropFirst(name.count + 1))
        }
        return nil
    }
}
