internal import CZlib

/// Compresses bytes to gzip members (RFC 1952).
///
/// Only this file uses the pointers of zlib's compression. See <https://zlib.net/manual.html>.
@safe struct GzipEncoder: ~Copyable, Sendable {
    private static let piece = 64 * 1024

    private let address: UInt

    /// Returns `nil` if there is no memory.
    init?(level: Int32 = 6) {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        guard unsafe czlib_begin_writing(stream, level) == Z_OK else {
            unsafe stream.deallocate()
            return nil
        }
        address = UInt(bitPattern: stream)
    }

    deinit {
        guard let stream = unsafe stream else { return }
        unsafe deflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Compresses bytes, and appends the compressed bytes to `output`.
    ///
    /// - Parameter isEnd: Whether the member ends here; the next bytes start another one.
    mutating func compress(_ bytes: [UInt8], isEnd: Bool = false, into output: inout [UInt8]) {
        var start = 0
        while true {
            let (piece, used, isDone) = step(bytes, from: start, isEnd: isEnd)
            start += used
            output += piece
            if isEnd ? isDone : piece.count < Self.piece { break }
        }
        if isEnd, let stream = unsafe stream { unsafe deflateReset(stream) }
    }

    private var stream: UnsafeMutablePointer<z_stream>? {
        unsafe UnsafeMutablePointer(bitPattern: address)
    }

    private mutating func step(
        _ bytes: [UInt8],
        from start: Int,
        isEnd: Bool
    ) -> (piece: [UInt8], used: Int, isDone: Bool) {
        guard let stream = unsafe self.stream else { return ([], 0, true) }
        var used = 0
        var code = Z_OK
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: Self.piece) { output, count in
            unsafe bytes.withUnsafeBufferPointer { input in
                let rest = input.count - start
                unsafe stream.pointee.next_in = UnsafeMutablePointer(
                    mutating: input.baseAddress.map { unsafe $0 + start }
                )
                unsafe stream.pointee.avail_in = UInt32(rest)
                unsafe stream.pointee.next_out = output.baseAddress
                unsafe stream.pointee.avail_out = UInt32(output.count)
                code = unsafe deflate(stream, isEnd ? Z_FINISH : Z_NO_FLUSH)
                used = unsafe rest - Int(stream.pointee.avail_in)
                count = unsafe output.count - Int(stream.pointee.avail_out)
                unsafe stream.pointee.next_in = nil
                unsafe stream.pointee.next_out = nil
            }
        }
        return (piece, used, code != Z_OK && code != Z_BUF_ERROR)
    }
}
