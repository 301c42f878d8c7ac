internal import Foundation

/// Finds the programs that are built with the tests.
package enum BuiltProducts {
    package static func path(_ name: String) throws -> String {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let candidates = [own, CommandLine.arguments[0]] + CommandLine.arguments.dropFirst()
        for candidate in candidates {
            var folder = URL(fileURLWithPath: candidate)
            // The test bundle may be in a subfolder of the programs' folder.
            for _ in 0..<4 {
                folder.deleteLastPathComponent()
                let path = folder.appendingPathComponent(name).path
                if FileManager.default.isExecutableFile(atPath: path) { return path }
            }
        }
        throw SupportError("\(name) isn't built beside \(own)")
    }
}
