internal import COpenSSL
internal import CZlib

/// Computes a checksum incrementally with libcrypto.
///
/// Only this file uses the pointers of libcrypto. See
/// <https://docs.openssl.org/3.0/man3/EVP_DigestInit/>.
@safe struct MessageDigest: ~Copyable {
    let algorithm: DigestAlgorithm
    private let context: OpaquePointer

    /// Creates a digest. Returns `nil` if the system's configuration forbids the algorithm, or
    /// there is no memory.
    init?(_ algorithm: DigestAlgorithm) {
        guard let context = unsafe EVP_MD_CTX_new() else { return nil }
        let type =
            switch algorithm {
            case .sha256: unsafe EVP_sha256()
            case .sha512: unsafe EVP_sha512()
            case .sha1: unsafe EVP_sha1()
            case .md5: unsafe EVP_md5()
            }
        guard unsafe EVP_DigestInit_ex(context, type, nil) == 1 else {
            unsafe EVP_MD_CTX_free(context)
            return nil
        }
        self.algorithm = algorithm
        unsafe self.context = context
    }

    deinit {
        unsafe EVP_MD_CTX_free(context)
    }

    /// Adds the next bytes.
    mutating func update(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBytes { buffer in
            _ = unsafe EVP_DigestUpdate(context, buffer.baseAddress, buffer.count)
        }
    }

    /// Returns the checksum of all bytes that were added.
    consuming func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: algorithm.byteCount)
        unsafe digest.withUnsafeMutableBufferPointer { buffer in
            _ = unsafe EVP_DigestFinal_ex(context, buffer.baseAddress, nil)
        }
        return digest
    }

    /// Returns the checksum of `bytes`; empty if the system can't compute it.
    static func of(_ bytes: [UInt8], _ algorithm: DigestAlgorithm) -> [UInt8] {
        guard var digest = MessageDigest(algorithm) else { return [] }
        digest.update(bytes.span)
        return digest.finish()
    }
}

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
