internal import CZlib
internal import Posix

/// Decompresses gzip data (RFC 1952) incrementally, one member or several.
///
/// Only this file uses the pointers of zlib's decompression. See <https://zlib.net/manual.html>.
@safe struct GzipDecoder: ~Copyable {
    /// The current position in the stream.
    private enum Place {
        case withinMember
        case behindMember
        /// In the zeros after the last member. They pad to the block size of tapes.
        case behindAll
    }

    private static let piece = 64 * 1024

    private let stream: UnsafeMutablePointer<z_stream>
    private var place = Place.withinMember
    private var consumed: Int64 = 0
    /// The end of the last complete member, in compressed bytes.
    private(set) var endOfLastMember: Int64 = 0

    /// Returns `nil` if there is no memory.
    init?() {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        guard unsafe czlib_begin_reading(stream) == Z_OK else {
            unsafe stream.deallocate()
            return nil
        }
        unsafe self.stream = stream
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Whether the stream may end here.
    var isComplete: Bool { place != .withinMember }

    /// Decompresses the next bytes and passes the output to `take`.
    ///
    /// Each piece has at most 64 KiB. Stops when `take` returns false.
    ///
    /// - Throws: ``BatchFailure`` if the data is not gzip, or is damaged.
    mutating func decode(
        _ bytes: [UInt8],
        _ take: (_ piece: [UInt8]) -> Bool
    ) throws(BatchFailure) {
        var start = 0
        while start < bytes.count {
            if place == .behindMember {
                guard bytes[start] == 0x1F else {
                    place = .behindAll
                    continue
                }
                unsafe inflateReset(stream)
                place = .withinMember
            }
            if place == .behindAll {
                guard bytes[start...].allSatisfy({ $0 == 0 }) else {
                    throw BatchFailure(.input, "other data follows its gzip data")
                }
                return
            }
            let (piece, used, code) = step(bytes, from: start)
            start += used
            consumed += Int64(used)
            if code == Z_STREAM_END {
                place = .behindMember
                endOfLastMember = consumed
            }
            if try !takeIntact(piece, code, take) { return }
            if code == Z_BUF_ERROR, used == 0, piece.isEmpty { return }
        }
        try drain(take)
    }

    /// Passes on the output that zlib still holds.
    private mutating func drain(_ take: (_ piece: [UInt8]) -> Bool) throws(BatchFailure) {
        while place == .withinMember {
            let (piece, _, code) = step([], from: 0)
            if code == Z_STREAM_END {
                place = .behindMember
                endOfLastMember = consumed
            }
            if try !takeIntact(piece, code, take) || piece.isEmpty { return }
        }
    }

    /// Passes on what a step has decoded. Returns what `take` returns.
    ///
    /// Bytes before damaged data are intact. Bytes before a wrong checksum aren't: any of them may be
    /// damaged.
    private func takeIntact(
        _ piece: [UInt8],
        _ code: Int32,
        _ take: (_ piece: [UInt8]) -> Bool
    ) throws(BatchFailure) -> Bool {
        let isDamaged = code != Z_OK && code != Z_BUF_ERROR && code != Z_STREAM_END
        let reason = isDamaged ? reason(code) : ""
        let isUnverified = ["incorrect data check", "incorrect length check"].contains(reason)
        if !piece.isEmpty, !isUnverified, !take(piece) { return false }
        guard isDamaged else { return true }
        throw BatchFailure(.input, "its gzip data is damaged: \(reason)")
    }

    private mutating func step(
        _ bytes: [UInt8],
        from start: Int
    ) -> (piece: [UInt8], used: Int, code: Int32) {
        var code = Z_OK
        var used = 0
        let stream = unsafe self.stream
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: Self.piece) { output, count in
            unsafe bytes.withUnsafeBufferPointer { input in
                let rest = input.count - start
                unsafe stream.pointee.next_in = UnsafeMutablePointer(
                    mutating: input.baseAddress.map { unsafe $0 + start }
                )
                unsafe stream.pointee.avail_in = UInt32(rest)
                unsafe stream.pointee.next_out = output.baseAddress
                unsafe stream.pointee.avail_out = UInt32(output.count)
                code = unsafe inflate(stream, Z_NO_FLUSH)
                used = unsafe rest - Int(stream.pointee.avail_in)
                count = unsafe output.count - Int(stream.pointee.avail_out)
                unsafe stream.pointee.next_in = nil
                unsafe stream.pointee.next_out = nil
            }
        }
        return (piece, used, code)
    }

    private func reason(_ code: Int32) -> String {
        unsafe stream.pointee.msg.map { unsafe String(cString: $0) } ?? "code \(code)"
    }
}
