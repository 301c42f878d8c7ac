/// A day of the proleptic Gregorian calendar.
package struct CivilDay: Sendable, Hashable {
    package let year: Int
    /// 1 to 12.
    package let month: Int
    /// From 1.
    package let day: Int

    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    // Years start in March, so that a leap day is the last day of its year. An era has 400 years
    // and always the same number of days.
    private static let daysOfEra = 146_097
    /// The number of days from March 1 of the year 0 to January 1, 1970.
    private static let daysTo1970 = 719_468

    package init(daysSince1970 days: Int) {
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

    /// `nil` if the day doesn't exist, or if its year isn't between 0 and 9999.
    package var daysSince1970: Int? {
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
    /// Divides with a remainder that is never negative.
    package func quotientAndRemainder(
        dividingByPositive divisor: Int
    ) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
