internal import CCodings

/// Decodes a Brotli stream (RFC 7932), if libcurl has loaded the library.
///
/// Only this file uses the library's pointers.
@safe final class BrotliDecoder: StreamDecoder {
    private let state: OpaquePointer
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
        guard let state = unsafe ccodings_BrotliDecoderCreateInstance()?(nil, nil, nil) else {
            return nil
        }
        unsafe self.state = state
    }

    deinit {
        unsafe ccodings_BrotliDecoderDestroyInstance()?(state)
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
