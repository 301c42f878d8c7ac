internal import CCodings

/// Decodes Zstandard frames (RFC 8878), if libcurl has loaded the library.
///
/// Only this file uses the library's pointers.
@safe final class ZstandardDecoder: StreamDecoder {
    /// The maximum window of 8 MB, which senders may require. Source: RFC 9659, section 3.
    private static let maximumWindowLog: Int32 = 23
    private static let maximumWindow = 1 << Int(maximumWindowLog)

    /// The most that a decoder uses in addition to what it has decoded: its tables, an encoded and a
    /// decoded block.
    private static let tables = 448 * 1024

    private let state: OpaquePointer
    /// The number of bytes that the library has allocated, if it counts them.
    private let allocated: UnsafeMutablePointer<Int>
    /// The number of bytes that were decoded.
    private var decoded = 0
    private var isAtEnd = true
    /// Whether the last step filled the output, so that there may be more.
    private var mayHoldOutput = false

    static var isAvailable: Bool {
        unsafe ccodings_ZSTD_createDCtx() != nil && ccodings_ZSTD_freeDCtx() != nil
            && ccodings_ZSTD_DCtx_setParameter() != nil && ccodings_ZSTD_decompressStream() != nil
            && ccodings_ZSTD_isError() != nil && ccodings_ZSTD_getErrorName() != nil
    }

    /// `nil` if memory or the library is missing.
    init?() {
        let allocated = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        unsafe allocated.initialize(to: 0)
        guard let state = unsafe ccodings_new_zstd(allocated) else {
            unsafe allocated.deallocate()
            return nil
        }
        unsafe self.state = state
        unsafe self.allocated = allocated
        let option = Int32(CCODINGS_ZSTD_WINDOW_LOG)
        _ = unsafe ccodings_ZSTD_DCtx_setParameter()?(state, option, Self.maximumWindowLog)
    }

    deinit {
        _ = unsafe ccodings_ZSTD_freeDCtx()?(state)
        unsafe allocated.deallocate()
    }

    /// Any frame may have a larger window than those before.
    func memoryNeed(before first: UInt8?) -> Int {
        let isSmall = writtenMemory <= ContentDecoder.smallMemory
        return isSmall ? writtenMemory : Self.maximumWindow + Self.tables
    }

    var memoryUse: Int {
        let count = unsafe allocated.pointee
        return count == 0 ? writtenMemory : min(count, writtenMemory)
    }

    /// A window is in use only where bytes were written: at the most, all that were decoded.
    private var writtenMemory: Int { min(decoded, Self.maximumWindow) + Self.tables }

    /// Whether a frame has ended, or none has begun.
    var isComplete: Bool { isAtEnd }

    func decode(
        _ input: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) throws(DecodingFailure) -> Int {
        var used = 0
        while !output.isFull {
            // After a frame, a call without bytes would begin another one.
            if isAtEnd {
                guard used < input.count else { break }
                try checkFormat(input[used])
            }
            // The library fails after 16 consecutive calls without progress.
            if used == input.count, !mayHoldOutput { break }
            let before = output.count
            let (count, result) = step(input.extracting(used...), into: &output)
            used += count
            decoded += output.count - before
            mayHoldOutput = output.isFull
            if ccodings_ZSTD_isError()?(result) != 0 {
                throw DecodingFailure("it is damaged (\(reason(result)))")
            }
            isAtEnd = result == 0
            if !isAtEnd, used == input.count { break }
        }
        return used
    }

    /// Rejects frames of formats before version 0.8, by the first byte of the magic number.
    ///
    /// Many builds of the library still decode them, with windows of up to 128 MB regardless of the
    /// limit. Source: RFC 8878, sections 3.1.1 and 3.1.2.
    private func checkFormat(_ first: UInt8) throws(DecodingFailure) {
        guard first == 0x28 || first >> 4 == 5 else {
            throw DecodingFailure("it is damaged (a frame doesn't begin as one)")
        }
    }

    /// Runs one step. Its result is 0 at the end of a frame, or an error.
    private func step(
        _ input: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) -> (used: Int, result: Int) {
        var used = 0
        var result = 0
        unsafe input.withUnsafeBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output, count in
                var from = unsafe ccodings_zstd_input(
                    bytes: input.baseAddress,
                    size: input.count,
                    place: 0
                )
                var to = unsafe ccodings_zstd_output(
                    bytes: output.baseAddress,
                    size: output.count,
                    place: count
                )
                result = unsafe ccodings_ZSTD_decompressStream()?(state, &to, &from) ?? 0
                used = unsafe from.place
                count = unsafe to.place
            }
        }
        return (used, result)
    }

    private func reason(_ result: Int) -> String {
        guard let text = unsafe ccodings_ZSTD_getErrorName()?(result) else {
            return "Zstandard's code \(result)"
        }
        return unsafe String(cString: text)
    }
}
