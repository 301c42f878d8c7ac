/// A day of the Gregorian calendar, which is taken to hold at all times.
struct CivilDay: Sendable, Hashable {
    let year: Int
    /// 1 to 12.
    let month: Int
    /// From 1.
    let day: Int

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    // Years are counted from March, so that the day that a leap year adds is the last one of them, and
    // in eras of 400, which all have the same number of days.
    private static let daysOfEra = 146_097
    /// From March 1 of the year 0 to January 1, 1970.
    private static let daysTo1970 = 719_468

    init(daysSince1970 days: Int) {
        let (era, day) =
            (days + Self.daysTo1970).quotientAndRemainder(dividingByPositive: Self.daysOfEra)
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        self.init(
            year: 400 * era + year + (month >= 10 ? 1 : 0),
            month: month < 10 ? month + 3 : month - 9,
            day: dayOfYear - (153 * month + 2) / 5 + 1
        )
    }

    /// `nil` if there is no such day.
    var daysSince1970: Int? {
        guard (1...12).contains(month), (0...9999).contains(year) else { return nil }
        let (era, yearOfEra) =
            (month > 2 ? year : year - 1).quotientAndRemainder(dividingByPositive: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = 365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * Self.daysOfEra + dayOfEra - Self.daysTo1970
        return day >= 1 && CivilDay(daysSince1970: days) == self ? days : nil
    }
}

extension Int {
    /// With a remainder that is never negative.
    func quotientAndRemainder(
        dividingByPositive divisor: Int
    ) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
