/// A numeric address as text, kept in place: one is read for each transfer, and few are looked at.
package struct AddressText: Sendable {
    /// As long as any address gets, `INET6_ADDRSTRLEN` without the final zero.
    package static let maximumLength = 45

    private var bytes: InlineArray<45, UInt8> = .init(repeating: 0)
    private var count: UInt8 = 0

    /// Nothing.
    package init() {}

    /// Keeps as much of `text` as an address can have.
    package init(_ text: some Sequence<UInt8>) {
        for byte in text.prefix(Self.maximumLength) {
            bytes[Int(count)] = byte
            count += 1
        }
    }

    package var isEmpty: Bool { count == 0 }

    /// The address; empty where there is none.
    package var text: String {
        unsafe String(unsafeUninitializedCapacity: Int(count)) { output in
            for index in 0..<Int(count) { unsafe output[index] = bytes[index] }
            return Int(count)
        }
    }
}

extension AddressText: Hashable {
    package static func == (lhs: AddressText, rhs: AddressText) -> Bool {
        guard lhs.count == rhs.count else { return false }
        for index in 0..<Int(lhs.count) where lhs.bytes[index] != rhs.bytes[index] { return false }
        return true
    }

    package func hash(into hasher: inout Hasher) {
        for index in 0..<Int(count) { hasher.combine(bytes[index]) }
    }
}
