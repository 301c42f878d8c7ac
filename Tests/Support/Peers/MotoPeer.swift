internal import Foundation

/// moto's S3, which Python runs on loopback, with the empty bucket `pages`.
package final class MotoPeer: Peer {
    private static let python = Executable.python(with: "moto.server")
    package static var isAvailable: Bool { python != nil }

    /// An object of the bucket.
    package struct Object: Decodable, Sendable, Hashable {
        package let key: String
        package let size: Int
        package let sha256: String
        package let type: String
    }

    /// What is in the bucket.
    package struct Content: Decodable, Sendable {
        package let objects: [Object]
        /// The keys of uploads in parts that aren't complete.
        package let uploads: [String]

        /// The objects by their keys.
        package var byKey: [String: Object] {
            Dictionary(objects.map { ($0.key, $0) }) { $1 }
        }
    }

    private let process: PeerProcess
    /// The keys that may do all in S3.
    package let accessKey: String
    package let secretKey: String

    private init(_ process: PeerProcess) throws {
        self.process = process
        let line = process.output.split(separator: "\n").first { $0.hasPrefix("KEYS ") }
        let words = line?.split(separator: " ") ?? []
        guard words.count == 3 else { throw SupportError("moto has printed no keys") }
        (accessKey, secretKey) = (String(words[1]), String(words[2]))
    }

    /// Starts the server.
    ///
    /// - Parameters:
    ///   - checksSignatures: Whether it refuses requests that aren't signed with the keys. moto
    ///     computes wrong signatures if a key or a prefix has other characters than letters,
    ///     digits, `-`, `.`, `_`, `~` and spaces, or if a prefix has a slash.
    ///   - busy: How many uploads it answers with `SlowDown` first.
    ///   - heldPart: The number of a part whose uploads it never answers.
    package static func start(
        checksSignatures: Bool = false,
        busy: Int = 0,
        heldPart: Int? = nil
    ) async throws -> MotoPeer {
        let process = try await PeerProcess.start(announcement: "PORT ") { _ in
            guard let python, let script = Script.moto.path else {
                throw SupportError("moto is not installed")
            }
            return [python, "-W", "ignore", script, "busy=\(busy)"]
                + (checksSignatures ? ["signed"] : []) + (heldPart.map { ["hold=\($0)"] } ?? [])
        }
        return try MotoPeer(process)
    }

    package var output: String { process.output }
    package var processID: Int32 { process.id }
    package func stop() { process.stop() }

    package var url: String { "http://127.0.0.1:\(process.ports[0])" }

    /// The variables with which a program finds the server.
    package var environment: [String] {
        [
            "AWS_ACCESS_KEY_ID=\(accessKey)", "AWS_SECRET_ACCESS_KEY=\(secretKey)",
            "AWS_ENDPOINT_URL=\(url)", "AWS_REGION=us-east-1", "no_proxy=127.0.0.1",
        ]
    }

    /// Waits until so many uploads of the held part have arrived.
    package func heldUpload(count: Int = 1) async throws {
        _ = try await process.output(containing: "HELD \(count) ")
    }

    /// What is in the bucket now.
    package func content() async throws -> Content {
        let address = "\(url)/_inspect"
        let text = try await NativeThread.run {
            guard let python = Self.python else { throw SupportError("moto is not installed") }
            let program =
                "import sys, urllib.request as u; "
                + "sys.stdout.write(u.urlopen(sys.argv[1]).read().decode())"
            let result = try ChildProcess.run([python, "-c", program, address])
            guard result.status == 0 else { throw SupportError("no answer: \(result.output)") }
            return result.output
        }
        return try JSONDecoder().decode(Content.self, from: Data(text.utf8))
    }
}
