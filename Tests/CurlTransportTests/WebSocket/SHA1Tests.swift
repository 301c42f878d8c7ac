import Testing

@testable import CurlTransport

/// The examples of RFC 3174 and FIPS 180, and lengths around a block.
@Suite struct SHA1Tests {
    private func digest(_ text: String) -> String { hex(SHA1.digest(of: Array(text.utf8))) }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test func standardTestVectorsMatch() {
        #expect(digest("") == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
        #expect(digest("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d")
        #expect(
            digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                == "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
        )
        #expect(
            digest(String(repeating: "a", count: 1_000_000))
                == "34aa973cd4c4daa4f61eeb2bdbad27316534016f"
        )
        #expect(
            digest(String(repeating: "01234567", count: 80))
                == "dea356a2cddd90c7a7ecedc5ebb563934f460452"
        )
    }

    /// The expected digest of all digests comes from another implementation.
    @Test func everyLengthAroundBlockSizeMatches() {
        let all = (0...130).flatMap { SHA1.digest(of: [UInt8](repeating: 0x61, count: $0)) }
        #expect(hex(SHA1.digest(of: all)) == "60afa284c7b19b978fd27334fd33aa6e654cf3ff")
    }

    @Test func webSocketTestVectorMatches() {
        #expect(
            WebSocketHandshake.accept(for: "dGhlIHNhbXBsZSBub25jZQ==")
                == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
        )
    }
}
