import Testing

@testable import BatchFetch

@Suite struct CRC32Tests {
    @Test(
        "The checksum matches the standard",
        arguments: [("123456789", 0xCBF4_3926), ("", 0), ("a", 0xE8B7_BE43)] as [(String, UInt32)]
    )
    func checksumMatchesTheStandard(text: String, expected: UInt32) {
        let bytes = Array(text.utf8)
        let checksum = CRC32.checksum(bytes.span)
        #expect(checksum == expected)
    }
}
