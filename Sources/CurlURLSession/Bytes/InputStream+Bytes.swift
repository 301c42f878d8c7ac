package import Foundation

// The one place where a stream's bytes are read, which Foundation hands out by a pointer.

extension InputStream {
    /// Reads what there is, up to `count` bytes, and waits for the first of them. None at the end.
    ///
    /// - Throws: What the stream says is wrong with it, or `URLError.unknown` where it says nothing, as
    ///   one does that was closed before.
    package func readBytes(upTo count: Int) throws -> [UInt8] {
        var hasFailed = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            guard let start = buffer.baseAddress else { return }
            let readCount = unsafe read(start, maxLength: count)
            hasFailed = readCount < 0 || readCount > count
            initializedCount = hasFailed ? 0 : readCount
        }
        guard hasFailed else { return bytes }
        // Asked for an error that there isn't, Foundation's own streams trap.
        throw streamStatus == .error ? streamError ?? URLError(.unknown) : URLError(.unknown)
    }
}
