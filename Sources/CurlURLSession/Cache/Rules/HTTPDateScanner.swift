/// Reads a date from its beginning to its end.
struct HTTPDateScanner {
    static let weekdays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
    static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Steps over a text, in whatever case, if it is next.
    mutating func skip(_ text: some StringProtocol) -> Bool {
        let next = rest.prefix(text.utf8.count)
        let isNext = next.elementsEqual(text.utf8) { $0.lowercasedASCII == $1.lowercasedASCII }
        if isNext { rest = rest.dropFirst(next.count) }
        return isNext
    }

    /// Steps over a day's name, of three letters or in full. Which day it is says nothing.
    mutating func weekday(isShort: Bool) -> Bool {
        for name in Self.weekdays where skip(isShort ? name.prefix(3) : name[...]) { return true }
        return false
    }

    /// 1 to 12.
    mutating func month() -> Int? {
        for (index, name) in Self.months.enumerated() where skip(name) { return index + 1 }
        return nil
    }

    /// A number of so many digits.
    mutating func number(digits count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ $0.isASCIIDigit }) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// `08:49:37` as seconds. A minute may have 61.
    mutating func time() -> Int? {
        guard let hour = number(digits: 2), hour < 24, skip(":"),
            let minute = number(digits: 2), minute < 60, skip(":"),
            let second = number(digits: 2), second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }
}
