extension [UInt8] {
    /// Appends a decimal number, padded with zeros to `width` digits.
    mutating func appendDecimal(_ value: Int64, width: Int = 1) {
        append(addingCapacity: Swift.max(20, width + 1)) { $0.appendDecimal(value, width: width) }
    }
}

extension OutputSpan<UInt8> {
    /// Appends a decimal number, padded with zeros to `width` digits.
    ///
    /// The span needs capacity for 20 bytes, or for `width` and a sign if that is more.
    mutating func appendDecimal(_ value: Int64, width: Int = 1) {
        if value < 0 { append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        var digits = 1
        var power: UInt64 = 10
        while power <= rest {
            digits += 1
            let (next, isTooLarge) = power.multipliedReportingOverflow(by: 10)
            if isTooLarge { break }
            power = next
        }
        append(repeating: UInt8(ascii: "0"), count: Swift.max(digits, width))
        var place = count - 1
        while rest > 0 {
            self[place] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
            place -= 1
        }
    }
}
