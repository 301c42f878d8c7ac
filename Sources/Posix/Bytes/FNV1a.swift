/// The 64-bit hash FNV-1a. It is the same in every process; that of Swift's `Hasher` isn't.
///
/// It detects accidental changes. It doesn't protect against input that is made to collide.
@usableFromInline package struct FNV1a: Sendable {
    /// The hash of everything that was added.
    @usableFromInline package var value: UInt64

    @inlinable package init() {
        value = 0xcbf2_9ce4_8422_2325
    }

    /// Adds a byte, or a larger number in one step.
    @inlinable package mutating func add(_ number: UInt64) {
        value = (value ^ number) &* 0x100_0000_01b3
    }

    /// The hash of the bytes of `text`.
    package static func hash(of text: String) -> UInt64 {
        var hash = FNV1a()
        for byte in text.utf8 { hash.add(UInt64(byte)) }
        return hash.value
    }
}
