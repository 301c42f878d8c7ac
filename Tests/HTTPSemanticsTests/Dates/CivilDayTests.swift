import HTTPSemantics
import Testing

/// Days of the Gregorian calendar and their numbers.
@Suite struct CivilDayTests {
    @Test(
        "A day has its number since 1970",
        arguments: [
            (1970, 1, 1, 0), (1969, 12, 31, -1), (1970, 3, 1, 59), (1972, 2, 29, 789),
            (2000, 2, 29, 11_016), (2000, 3, 1, 11_017), (2024, 2, 29, 19_782),
            (1900, 3, 1, -25_508), (1600, 2, 29, -135_081), (0, 1, 1, -719_528),
            (0, 2, 29, -719_469), (0, 3, 1, -719_468), (9999, 12, 31, 2_932_896),
        ]
    )
    func dayHasItsNumber(year: Int, month: Int, day: Int, number: Int) {
        let civil = CivilDay(year: year, month: month, day: day)
        #expect(civil.daysSince1970 == number)
        #expect(CivilDay(daysSince1970: number) == civil)
    }

    @Test(
        "A day that doesn't exist has no number",
        arguments: [
            (1970, 0, 1), (1970, 13, 1), (1970, 1, 0), (1970, 1, 32), (1970, 4, 31), (1970, 1, -1),
            (1970, -1, 1), (2023, 2, 29), (2024, 2, 30), (1900, 2, 29), (2100, 2, 29),
            (-1, 12, 31), (10_000, 1, 1), (2000, 12, 400),
        ]
    )
    func missingDayHasNoNumber(year: Int, month: Int, day: Int) {
        #expect(CivilDay(year: year, month: month, day: day).daysSince1970 == nil)
    }

    @Test("Successive days count up through every month of 800 years")
    func successiveDaysCountUp() throws {
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var number = try #require(CivilDay(year: 1600, month: 1, day: 1).daysSince1970)
        for year in 1600..<2400 {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            for month in 1...12 {
                let length = lengths[month - 1] + (month == 2 && isLeap ? 1 : 0)
                for day in [1, 2, length] {
                    let civil = CivilDay(year: year, month: month, day: day)
                    guard civil.daysSince1970 == number + day - 1,
                        CivilDay(daysSince1970: number + day - 1) == civil
                    else {
                        Issue.record("\(civil)")
                        return
                    }
                }
                number += length
            }
        }
    }

    @Test("Days before the year 0 have a negative year, and no number")
    func daysBeforeTheYearZeroHaveNoNumber() {
        let day = CivilDay(daysSince1970: -719_529)
        #expect(day == CivilDay(year: -1, month: 12, day: 31))
        #expect(day.daysSince1970 == nil)
        let far = CivilDay(daysSince1970: 2_932_897)
        #expect(far == CivilDay(year: 10_000, month: 1, day: 1))
    }

    @Test(
        "A remainder is never negative",
        arguments: [
            (7, 3, 2, 1), (-7, 3, -3, 2), (-6, 3, -2, 0), (0, 3, 0, 0), (-1, 86_400, -1, 86_399),
            (2, 3, 0, 2), (-3, 3, -1, 0), (Int.min, 1, .min, 0),
        ]
    )
    func remainderIsNeverNegative(number: Int, divisor: Int, quotient: Int, remainder: Int) {
        let result = number.quotientAndRemainder(dividingByPositive: divisor)
        #expect(result.quotient == quotient && result.remainder == remainder)
    }

    @Test(
        "A date with a year of two digits is at most 50 years ahead",
        arguments: [
            // The first second of 2026, and of the last year of a century.
            (1_767_225_600, "75", 2075), (1_767_225_600, "76", 1976), (1_767_225_600, "77", 1977),
            (1_767_225_600, "26", 2026), (1_767_225_600, "00", 2000), (1_767_225_600, "99", 1999),
            (4_070_908_800, "48", 2148), (4_070_908_800, "49", 2049), (4_070_908_800, "50", 2050),
            (4_070_908_800, "99", 2099), (0, "19", 2019), (0, "20", 1920), (0, "21", 1921),
            // One second before March 1, 2026, that second, and the next day.
            (1_772_323_199, "76", 1976), (1_772_323_200, "76", 2076), (1_772_409_600, "76", 2076),
        ] as [(Int64, String, Int)]
    )
    func twoDigitsAreOfTheNearestYear(now: Int64, digits: String, year: Int) {
        let seconds = HTTPDate.seconds(from: "Monday, 01-Mar-\(digits) 00:00:00 GMT", near: now)
        let expected = CivilDay(year: year, month: 3, day: 1).daysSince1970
        #expect(seconds == expected.map { Int64($0 * 86_400) })
    }

    @Test(
        "A date is written with its weekday",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
            (-62_167_219_200, "Sat, 01 Jan 0000 00:00:00 GMT"),
            (1_795_272_531, "Sat, 21 Nov 2026 14:48:51 GMT"),
        ] as [(Int64, String)]
    )
    func dateIsWrittenWithItsWeekday(seconds: Int64, text: String) {
        #expect(HTTPDate.text(seconds: seconds) == text)
    }
}
