/// Compresses bodies for servers with commonly installed programs.
package enum Compression {
    /// Whether gzip is installed.
    package static var isAvailable: Bool { Executable.path("gzip") != nil }

    /// Random lower-case letters: they compress to somewhat fewer bytes, but not to a few.
    package static func text(_ count: Int) -> [UInt8] {
        var generator = SeededGenerator(seed: 1)
        return [UInt8](count: count) { _ in UInt8(ascii: "a") + UInt8(generator.next() % 26) }
    }

    /// - Parameter coding: `gzip` or `deflate`, as in `Content-Encoding`.
    package static func compressed(_ bytes: [UInt8], _ coding: String) async throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        try directory.write(bytes, to: "plain")
        let zlib =
            "import sys,zlib;f=sys.stdin.buffer;sys.stdout.buffer.write(zlib.compress(f.read()))"
        let command =
            coding == "gzip"
            ? "gzip -nc < plain > packed" : "python3 -c \"\(zlib)\" < plain > packed"
        let shell = try ChildProcess(
            ["/bin/sh", "-c", command + "; echo done"],
            environment: ["PATH": "/usr/bin:/bin:/usr/local/bin"],
            directory: directory.path
        )
        _ = try await shell.output(containing: "done")
        return try directory.read("packed")
    }
}
