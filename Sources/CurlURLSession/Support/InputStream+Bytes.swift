package import Foundation

// The only place that reads a stream's bytes, which Foundation passes by pointer.

extension InputStream {
    /// Reads available bytes, at most `count`. Returns an empty array at the end.
    ///
    /// Blocks until at least one byte is available.
    ///
    /// - Throws: The stream's error, or `URLError.unknown` if the stream has none, as when it was
    ///   closed.
    package func readBytes(upTo count: Int) throws -> [UInt8] {
        var hasFailed = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            guard let start = buffer.baseAddress else { return }
            let readCount = unsafe read(start, maxLength: count)
            hasFailed = readCount < 0 || readCount > count
            initializedCount = hasFailed ? 0 : readCount
        }
        guard hasFailed else { return bytes }
        // Foundation's own streams trap when asked for an error that doesn't exist.
        throw streamStatus == .error ? streamError ?? URLError(.unknown) : URLError(.unknown)
    }
}
