internal import CZlib

/// Decodes gzip (RFC 1952), zlib (RFC 1950) and bare deflate (RFC 1951) streams.
///
/// Only this file uses zlib's pointers. See <https://zlib.net/manual.html>.
@safe final class Inflater: StreamDecoder {
    enum Format {
        case gzip
        /// A zlib stream, or bare deflate. The first two bytes distinguish them.
        case deflate
    }

    private enum Place: Equatable {
        case start
        /// After the first byte, before the format is known.
        case undecided(first: UInt8)
        case withinStream
        case behindStream
    }

    /// The data that is allowed after the end of a stream.
    private enum Trailer {
        /// Further members, or zero padding.
        case members
        case zeros
        /// The remaining bytes of a checksum, which some servers append to bare deflate.
        case checksum(left: Int)
        case nothing
    }

    private static let windowBits: Int32 = 15

    private let stream: UnsafeMutablePointer<z_stream>
    private var place = Place.start
    private var trailer: Trailer
    private let format: Format

    /// `nil` if memory is missing.
    init?(_ format: Format) {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let bits = format == .gzip ? Self.windowBits + 16 : Self.windowBits
        guard unsafe czlib_begin_inflating(stream, bits) == Z_OK else {
            unsafe stream.deallocate()
            return nil
        }
        unsafe self.stream = stream
        self.format = format
        trailer = format == .gzip ? .members : .nothing
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    func memoryNeed(before first: UInt8?) -> Int { memoryUse }

    /// The window has 32 KiB. Source: <https://zlib.net/zlib_tech.html>.
    var memoryUse: Int { 48 * 1024 }

    var isComplete: Bool { place == .start || place == .behindStream }

    func decode(
        _ input: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) throws(DecodingFailure) -> Int {
        var used = 0
        while !output.isFull {
            switch place {
            case .start where input.isEmpty:
                return used
            case .start where format == .deflate:
                place = .undecided(first: input[0])
                used = 1
            case .start:
                place = .withinStream
            case .undecided(let first):
                guard used < input.count else { return used }
                try begin(first, input[used], into: &output)
            case .withinStream:
                let rest = input.extracting(used...)
                let (count, code) = step(rest, into: &output)
                used += count
                guard try shouldContinue(after: code, isAtEnd: used == input.count) else {
                    return used
                }
            case .behindStream:
                guard used < input.count else { return used }
                used += try skip(input[used])
            }
        }
        return used
    }

    /// Chooses the format by the first two bytes, and decodes the first.
    ///
    /// Source: RFC 1950, section 2.2.
    private func begin(
        _ first: UInt8,
        _ second: UInt8,
        into output: inout OutputSpan<UInt8>
    ) throws(DecodingFailure) {
        let isFramed =
            first & 15 == 8 && first >> 4 <= 7
            && (Int(first) << 8 | Int(second)).isMultiple(of: 31)
        if !isFramed {
            guard unsafe inflateReset2(stream, -Self.windowBits) == Z_OK else {
                throw DecodingFailure("there is no memory")
            }
            trailer = .checksum(left: 4)
        }
        place = .withinStream
        let (_, code) = step([first].span, into: &output)
        _ = try shouldContinue(after: code, isAtEnd: true)
    }

    /// Whether decoding can continue; false if it needs more input.
    private func shouldContinue(after code: Int32, isAtEnd: Bool) throws(DecodingFailure) -> Bool {
        switch code {
        case Z_OK: return !isAtEnd
        case Z_BUF_ERROR: return false
        case Z_STREAM_END:
            place = .behindStream
            return true
        default:
            let reason = unsafe stream.pointee.msg.map { unsafe String(cString: $0) }
            throw DecodingFailure("it is damaged (\(reason ?? "zlib's code \(code)"))")
        }
    }

    /// Skips a byte after the end of a stream. Returns the number of consumed bytes.
    private func skip(_ byte: UInt8) throws(DecodingFailure) -> Int {
        switch trailer {
        case .members where byte == 0x1F:
            unsafe inflateReset(stream)
            place = .withinStream
            return 0
        case .members where byte == 0, .zeros where byte == 0:
            trailer = .zeros
            return 1
        case .checksum(let left) where left > 0:
            trailer = .checksum(left: left - 1)
            return 1
        default:
            throw DecodingFailure("something follows its end")
        }
    }

    private func step(
        _ input: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) -> (used: Int, code: Int32) {
        var used = 0
        var code = Z_OK
        unsafe input.withUnsafeBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output, count in
                let room = output.count - count
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.pointee.avail_in = UInt32(clamping: input.count)
                unsafe stream.pointee.next_out = output.baseAddress.map { unsafe $0 + count }
                unsafe stream.pointee.avail_out = UInt32(clamping: room)
                code = unsafe inflate(stream, Z_NO_FLUSH)
                used = unsafe input.count - Int(stream.pointee.avail_in)
                count += unsafe room - Int(stream.pointee.avail_out)
                unsafe stream.pointee.next_in = nil
                unsafe stream.pointee.next_out = nil
            }
        }
        return (used, code)
    }
}
