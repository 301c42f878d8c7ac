internal import Foundation

/// A pipe whose own thread reads it continuously, so that its writer never blocks.
final class DrainedPipe: Sendable {
    let pipe = Pipe()
    private let content = Watched<(bytes: Data, isAtEnd: Bool)>((Data(), false))

    /// Starts reading. Call it after the writer has started.
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

    /// Waits until the received text contains `text`; returns it.
    func text(containing text: String) async throws -> String {
        try await content.wait { content in
            let all = String(decoding: content.bytes, as: UTF8.self)
            return all.contains(text) ? all : nil
        }
    }

    /// Waits until the writer has closed the pipe; returns the whole text.
    func text() async throws -> String {
        try await content.wait { $0.isAtEnd ? String(decoding: $0.bytes, as: UTF8.self) : nil }
    }
}
