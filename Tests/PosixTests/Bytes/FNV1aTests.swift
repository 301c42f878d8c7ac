import Posix
import Testing

/// The hash that chooses loops, names files and verifies journal records.
@Suite struct FNV1aTests {
    @Test("The hash of a text is that of its bytes")
    func textIsHashedByBytes() {
        var hash = FNV1a()
        for byte in "host.example".utf8 { hash.add(UInt64(byte)) }
        #expect(FNV1a.hash(of: "host.example") == hash.value)
        #expect(FNV1a.hash(of: "") == FNV1a().value)
    }

    /// Test vectors of the hash's authors.
    @Test(
        "The hash of bytes matches the published one",
        arguments: [
            ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c),
            ("foobar", 0x8594_4171_f739_67e8),
        ] as [(String, UInt64)]
    )
    func hashMatchesThePublishedOne(text: String, expected: UInt64) {
        var hash = FNV1a()
        for byte in text.utf8 { hash.add(UInt64(byte)) }
        #expect(hash.value == expected)
    }

    @Test("A number is added in one step")
    func numberIsAddedInOneStep() {
        var hash = FNV1a()
        hash.add(.max)
        let expected: UInt64 = ~0xcbf2_9ce4_8422_2325 &* 0x100_0000_01b3
        #expect(hash.value == expected)
    }
}
