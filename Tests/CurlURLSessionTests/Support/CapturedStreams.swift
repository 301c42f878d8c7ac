internal import Foundation
internal import TestSupport

// `@unchecked Sendable`: one thread at a time uses each.
/// The streams of a captured task, passed from the delegate to the test.
final class CapturedStreams: @unchecked Sendable {
    let input: InputStream
    let output: OutputStream

    init(input: InputStream, output: OutputStream) {
        self.input = input
        self.output = output
    }

    /// Runs a closure that blocks, on a separate thread.
    func onThread<Value: Sendable>(
        _ act: @escaping @Sendable (CapturedStreams) throws -> Value
    ) async throws -> Value {
        try await NativeThread.run { [self] in try act(self) }
    }

    func write(_ text: String) -> Int {
        let bytes = Array(text.utf8)
        return output.write(bytes, maxLength: bytes.count)
    }

    /// Reads `count` bytes, or fewer at the end of the stream.
    func read(_ count: Int) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: count)
        while bytes.count < count {
            let read = input.read(&buffer, maxLength: count - bytes.count)
            guard read > 0 else { break }
            bytes += buffer[..<read]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
