extension [UInt8] {
    /// Appends a number in decimal digits, with zeros before them up to `width` digits.
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
        let total = Swift.max(digits, width)
        append(contentsOf: repeatElement(UInt8(ascii: "0"), count: total))
        var place = count - 1
        while rest > 0 {
            self[place] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
            place -= 1
        }
    }
}
