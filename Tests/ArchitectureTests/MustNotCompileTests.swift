internal import Foundation
internal import TestSupport
internal import Testing

/// Checks that the compiler enforces the confinement to the loop's thread.
///
/// Each file in `MustNotCompile` must fail with the error that its first line quotes. One control
/// file must compile, which shows that the others don't fail because of the setup.
@Suite(.timeLimit(.minutes(10))) struct MustNotCompileTests {
    private static let folder = "Tests/ArchitectureTests/MustNotCompile"
    private static let samples = SourceTree.paths(folder).filter { $0.hasSuffix(".swift.txt") }

    private static var isPossible: Bool { Executable.path("swiftc") != nil }

    @Test func noSampleIsMissing() {
        #expect(Self.samples.count == 8)
    }

    @Test(.enabled(if: isPossible), arguments: samples)
    func compilerRejectsLoopStateOutsideItsLoop(_ sample: String) async throws {
        let path = SourceTree.root.appendingPathComponent(sample).path
        let first =
            try String(contentsOfFile: path, encoding: .utf8)
            .split(separator: "\n").first.map(String.init) ?? ""
        let (status, output) = try await compile(path)
        if first.hasPrefix("// compiles") {
            #expect(status == 0, "\(output)")
        } else {
            let prefix = "// error: "
            #expect(first.hasPrefix(prefix))
            #expect(status != 0, "it compiles")
            #expect(output.contains(first.dropFirst(prefix.count)), "\(output)")
        }
    }

    private func compile(_ path: String) async throws -> (status: Int32, output: String) {
        let root = SourceTree.root.path
        let modules = try BuildProducts.path("Modules")
        let compiler = Executable.path("swiftc") ?? "swiftc"
        let folders = [
            "CCurl", "Sources/CPosix", "Sources/CCodings", "Sources/COpenSSL", "Sources/CZlib",
        ]
        let maps = folders.flatMap {
            ["-Xcc", "-fmodule-map-file=\(root)/\($0)/module.modulemap"]
        }
        return try await NativeThread.run {
            let copy = try TemporaryDirectory()
            let source = try copy.write(
                String(contentsOfFile: path, encoding: .utf8),
                to: "a.swift"
            )
            return try ChildProcess.run(
                [
                    compiler, "-emit-sil", "-o", "/dev/null", "-swift-version", "6",
                    "-parse-as-library",
                    "-package-name", Self.packageName, "-module-cache-path", copy.path("cache"),
                    "-I", modules,
                ] + maps + [source]
            )
        }
    }

    /// The package name that SwiftPM derives from the package's folder.
    private static var packageName: String {
        SourceTree.root.lastPathComponent.lowercased().map {
            $0.isLetter || $0.isNumber ? String($0) : "_"
        }.joined()
    }
}
