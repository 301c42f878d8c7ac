import Foundation
import TestSupport

/// A pipe that is read as it fills, on a thread of its own, so that its writer never waits.
final class DrainedPipe: Sendable {
    let pipe = Pipe()
    private let content = Watched<(bytes: Data, isAtEnd: Bool)>((Data(), false))

    /// Reads from now on. Its writer has been started.
    func drain() throws {
        try pipe.fileHandleForWriting.close()
        Thread { [pipe, content] in
            while true {
                let bytes = pipe.fileHandleForReading.availableData
                content.update { content in
                    content.bytes.append(bytes)
                    content.isAtEnd = bytes.isEmpty
                }
                if bytes.isEmpty { return }
            }
        }.start()
    }

    /// All that has come so far, once that contains `text`.
    func text(containing text: String) async throws -> String {
        try await content.wait { content in
            let all = String(decoding: content.bytes, as: UTF8.self)
            return all.contains(text) ? all : nil
        }
    }

    /// All of it, once its writer has closed it.
    func text() async throws -> String {
        try await content.wait { $0.isAtEnd ? String(decoding: $0.bytes, as: UTF8.self) : nil }
    }
}
