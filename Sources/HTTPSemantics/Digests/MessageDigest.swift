internal import COpenSSL

/// Computes a checksum incrementally with libcrypto.
///
/// Only this file uses the pointers of libcrypto's digests. See
/// <https://docs.openssl.org/3.0/man3/EVP_DigestInit/>.
@safe package struct MessageDigest: ~Copyable {
    /// What is computed.
    package enum Function: Sendable {
        /// SHA-256 (FIPS 180-4).
        case sha256
        /// SHA-512 (FIPS 180-4).
        case sha512
        /// SHA-1 (RFC 3174).
        case sha1
        /// MD5 (RFC 1321).
        case md5

        /// The length of the checksum in bytes.
        package var byteCount: Int {
            switch self {
            case .sha256: 32
            case .sha512: 64
            case .sha1: 20
            case .md5: 16
            }
        }
    }

    private let function: Function
    private let context: OpaquePointer

    /// Creates a digest. Returns `nil` if the system's configuration forbids the function, or
    /// there is no memory.
    package init?(_ function: Function) {
        guard let context = unsafe EVP_MD_CTX_new() else { return nil }
        let type =
            switch function {
            case .sha256: unsafe EVP_sha256()
            case .sha512: unsafe EVP_sha512()
            case .sha1: unsafe EVP_sha1()
            case .md5: unsafe EVP_md5()
            }
        guard unsafe EVP_DigestInit_ex(context, type, nil) == 1 else {
            unsafe EVP_MD_CTX_free(context)
            return nil
        }
        self.function = function
        unsafe self.context = context
    }

    deinit {
        unsafe EVP_MD_CTX_free(context)
    }

    /// Adds the next bytes.
    package mutating func update(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBytes { buffer in
            _ = unsafe EVP_DigestUpdate(context, buffer.baseAddress, buffer.count)
        }
    }

    /// Returns the checksum of all bytes that were added.
    package consuming func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: function.byteCount)
        unsafe digest.withUnsafeMutableBufferPointer { buffer in
            _ = unsafe EVP_DigestFinal_ex(context, buffer.baseAddress, nil)
        }
        return digest
    }

    /// Returns the checksum of `bytes`; empty if the system can't compute it.
    package static func of(_ bytes: [UInt8], _ function: Function) -> [UInt8] {
        guard var digest = MessageDigest(function) else { return [] }
        digest.update(bytes.span)
        return digest.finish()
    }
}
