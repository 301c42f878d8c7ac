import Foundation

/// What a step works with: a server and a transcript.
struct Stage: Sendable {
    let base: URL
    let transcript: Transcript

    func log(_ line: String) {
        transcript.log(line)
    }

    func url(_ path: String) -> URL {
        URL(string: path, relativeTo: base)?.absoluteURL ?? base
    }

    /// Opens a gate of the server, or waits until the server reaches one.
    func control(_ path: String) async throws {
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        _ = try await session.data(from: url("/control/\(path)"))
    }

    func text(of error: (any Error)?) -> String {
        switch error {
        case nil: "no error"
        case let error as URLError: "URLError \(error.code.rawValue)"
        case let error as APIError: "\(error)"
        case let error?: "\(type(of: error)): \(error)"
        }
    }
}
