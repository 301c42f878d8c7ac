import Posix
import Testing

/// The checksum that verifies stored responses.
@Suite struct ChecksumTests {
    @Test("Every changed bit, byte and length changes the checksum")
    func everyChangeChangesTheChecksum() {
        for count in [0, 1, 7, 8, 9, 16, 31] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 1) }
            let sum = bytes.span.checksum(after: 0)
            var sums: Set<UInt64> = [sum]
            for index in 0..<count {
                for bit in 0..<8 {
                    var changed = bytes
                    changed[index] ^= 1 << UInt8(bit)
                    sums.insert(changed.span.checksum(after: 0))
                }
            }
            sums.insert((bytes + [0]).span.checksum(after: 0))
            sums.insert(bytes.span.checksum(after: .max))
            #expect(sums.count == count * 8 + 3)
        }
    }

    @Test("Two changes of a highest bit don't cancel each other")
    func changesOfHighBitsDoNotCancel() {
        let bytes = [UInt8](repeating: 0, count: 64)
        var sums: Set<UInt64> = [bytes.span.checksum(after: 0)]
        for first in stride(from: 7, to: 64, by: 8) {
            for second in stride(from: first + 8, to: 64, by: 8) {
                var changed = bytes
                changed[first] ^= 0x80
                changed[second] ^= 0x80
                sums.insert(changed.span.checksum(after: 0))
            }
        }
        #expect(sums.count == 29)
    }
}
