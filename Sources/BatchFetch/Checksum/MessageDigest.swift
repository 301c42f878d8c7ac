internal import COpenSSL

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
