internal import Foundation
internal import TestSupport

/// Finds the programs and modules that are built with the tests.
enum BuildProducts {
    /// The build folder with the programs and modules.
    static func folder() throws -> URL {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        for candidate in [own] + CommandLine.arguments {
            var folder = URL(fileURLWithPath: candidate)
            for _ in 0..<4 {
                folder.deleteLastPathComponent()
                let probe = folder.appendingPathComponent("LinkageProbe").path
                if FileManager.default.isExecutableFile(atPath: probe) { return folder }
            }
        }
        throw SupportError("the programs aren't built beside \(own)")
    }

    static func path(_ name: String) throws -> String {
        try folder().appendingPathComponent(name).path
    }
}
