internal import CZlib

/// The CRC-32 of Ethernet, gzip and zip (ISO 3309), computed by zlib. See
/// <https://zlib.net/manual.html>.
enum CRC32 {
    /// Returns the checksum of at most 4 GiB.
    static func checksum(_ bytes: Span<UInt8>) -> UInt32 {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe UInt32(crc32(0, buffer.baseAddress, UInt32(buffer.count)))
        }
    }
}
