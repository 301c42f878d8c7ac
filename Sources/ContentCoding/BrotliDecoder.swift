internal import CCodings

/// Decodes a Brotli stream (RFC 7932), if libcurl has loaded the library.
///
/// Only this file uses the library's pointers.
@safe final class BrotliDecoder: StreamDecoder {
    /// The most that a decoder uses in addition to its window: three groups of 256 code tables.
    private static let tables = 3 << 20

    private let state: OpaquePointer
    /// The number of bytes that the library has allocated.
    private let allocated: UnsafeMutablePointer<Int>
    /// The size of the window in bytes; nil before the first byte, which declares it.
    private var window: Int?
    private var isUntouched = true
    private var isAtEnd = false

    static var isAvailable: Bool {
        unsafe ccodings_BrotliDecoderCreateInstance() != nil
            && ccodings_BrotliDecoderDestroyInstance() != nil
            && ccodings_BrotliDecoderDecompressStream() != nil
            && ccodings_BrotliDecoderGetErrorCode() != nil
            && ccodings_BrotliDecoderErrorString() != nil
    }

    /// `nil` if memory or the library is missing.
    init?() {
        let allocated = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        unsafe allocated.initialize(to: 0)
        guard let state = unsafe ccodings_new_brotli(allocated) else {
            unsafe allocated.deallocate()
            return nil
        }
        unsafe self.state = state
        unsafe self.allocated = allocated
    }

    deinit {
        unsafe ccodings_BrotliDecoderDestroyInstance()?(state)
        unsafe allocated.deallocate()
    }

    /// The library fills the whole window before it returns the first byte.
    func memoryNeed(before first: UInt8?) -> Int {
        (window ?? first.map(Self.window) ?? 1 << 24) + Self.tables
    }

    var memoryUse: Int { unsafe allocated.pointee }

    /// The size of the window in bytes that a stream declares with its first byte.
    ///
    /// Source: RFC 7932, section 9.1.
    private static func window(declaredBy byte: UInt8) -> Int {
        if byte & 1 == 0 { return 1 << 16 }
        let high = byte >> 1 & 7
        if high > 0 { return 1 << (17 + Int(high)) }
        let low = byte >> 4 & 7
        return 1 << (low == 0 ? 17 : 8 + Int(low))
    }

    var isComplete: Bool { isUntouched || isAtEnd }

    func decode(
        _ input: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) throws(DecodingFailure) -> Int {
        guard !isAtEnd else {
            guard input.isEmpty else { throw DecodingFailure("something follows its end") }
            return 0
        }
        guard !isUntouched || !input.isEmpty else { return 0 }
        if isUntouched { window = Self.window(declaredBy: input[0]) }
        isUntouched = false
        let (used, result) = step(input, into: &output)
        switch result {
        case CCODINGS_BROTLI_END.rawValue:
            isAtEnd = true
            guard used == input.count else { throw DecodingFailure("something follows its end") }
        case CCODINGS_BROTLI_NEEDS_INPUT.rawValue, CCODINGS_BROTLI_NEEDS_OUTPUT.rawValue:
            break
        default:
            throw DecodingFailure("it is damaged (\(reason))")
        }
        return used
    }

    private func step(
        _ input: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) -> (used: Int, result: UInt32) {
        var used = 0
        var result: Int32 = 0
        unsafe input.withUnsafeBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output, count in
                var left = input.count
                var next = input.baseAddress
                var room = output.count - count
                var end = unsafe output.baseAddress.map { unsafe $0 + count }
                result =
                    unsafe ccodings_BrotliDecoderDecompressStream()?(
                        state,
                        &left,
                        &next,
                        &room,
                        &end,
                        nil
                    ) ?? 0
                used = input.count - left
                count = output.count - room
            }
        }
        return (used, UInt32(bitPattern: result))
    }

    private var reason: String {
        let code = unsafe ccodings_BrotliDecoderGetErrorCode()?(state) ?? 0
        guard let text = unsafe ccodings_BrotliDecoderErrorString()?(code) else {
            return "Brotli's code \(code)"
        }
        return unsafe String(cString: text)
    }
}
