extension String {
    /// A number of seconds (RFC 9111, 1.2.2); `nil` if it isn't digits alone. One that is too large
    /// is 2 to the power of 31: 68 years.
    var deltaSeconds: Int? {
        let most = 2_147_483_648
        let digits = utf8
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCIIDigit }) else { return nil }
        return Int(self).map { min($0, most) } ?? most
    }
}
