internal import CPosix
internal import Glibc

/// A numeric address as text, stored inline: each transfer reads one, but few are used.
package struct AddressText: Sendable {
    /// The maximum length of an address: `INET6_ADDRSTRLEN` without the terminating zero.
    package static let maximumLength = 45

    private var bytes: InlineArray<45, UInt8> = .init(repeating: 0)
    private var count: UInt8 = 0

    /// Creates an empty text.
    package init() {}

    /// Stores `text`, truncated to the maximum length.
    ///
    /// It isn't generic: other modules call it for each transfer, and would call it unspecialised.
    package init(_ text: UnsafeRawBufferPointer) {
        count = UInt8(min(text.count, Self.maximumLength))
        let text = unsafe UnsafeRawBufferPointer(rebasing: text.prefix(Int(count)))
        var storage = bytes.mutableSpan
        unsafe storage.withUnsafeMutableBytes { unsafe $0.copyMemory(from: text) }
    }

    package init(_ text: String) {
        var text = text
        self = text.withUTF8 { unsafe AddressText(UnsafeRawBufferPointer($0)) }
    }

    package var isEmpty: Bool { count == 0 }

    /// The address; empty if there is none.
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
        return unsafe lhs.bytes.span.withUnsafeBytes { left in
            unsafe rhs.bytes.span.withUnsafeBytes { right in
                guard let left = left.baseAddress, let right = right.baseAddress else {
                    return true
                }
                return unsafe memcmp(left, right, Int(lhs.count)) == 0
            }
        }
    }

    package func hash(into hasher: inout Hasher) {
        unsafe bytes.span.withUnsafeBytes { bytes in
            unsafe hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes.prefix(Int(count))))
        }
    }
}

/// The type of an IP address in text form, determined without a lookup.
package enum NumericAddress {
    case ipv4
    case ipv6

    /// The type of the address in `text`; nil if it is not one. Brackets and zones aren't accepted.
    ///
    /// The corresponding C function is `inet_pton`.
    package static func kind(of text: String) -> NumericAddress? {
        guard !text.utf8.contains(0) else { return nil }
        var four = in_addr()
        if unsafe inet_pton(AF_INET, text, &four) == 1 { return .ipv4 }
        var six = in6_addr()
        if unsafe inet_pton(AF_INET6, text, &six) == 1 { return .ipv6 }
        return nil
    }
}
