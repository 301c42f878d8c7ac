import BatchFetch
internal import Glibc

/// The scale of an axis and its tick marks.
struct PlotScale: Sendable {
    /// A tick mark.
    struct Tick: Sendable {
        let value: Double
        let label: String
    }

    let lower: Double
    let upper: Double
    let isLogarithmic: Bool
    let ticks: [Tick]

    /// The position of a value, clamped to 0 … 1.
    func position(of value: Double) -> Double {
        let share =
            isLogarithmic
            ? log2(max(value, lower) / lower) / log2(upper / lower)
            : (value - lower) / (upper - lower)
        return share.isFinite ? min(max(share, 0), 1) : 0
    }

    /// A linear scale from 0 to at least `maximum`, in round steps.
    static func linear(upTo maximum: Double, label: (Double) -> String) -> PlotScale {
        let maximum = maximum.isFinite && maximum > 0 ? maximum : 1
        let step = roundStep(atLeast: maximum / 4)
        let count = max(1, Int((maximum / step).rounded(.up)))
        let ticks = (0...count).map { number in
            Tick(value: Double(number) * step, label: label(Double(number) * step))
        }
        return PlotScale(
            lower: 0,
            upper: Double(count) * step,
            isLogarithmic: false,
            ticks: ticks
        )
    }

    /// The smallest round step: 1, 2 or 5 times a power of ten.
    private static func roundStep(atLeast least: Double) -> Double {
        let power = pow(10, log10(least).rounded(.down))
        for factor in [1.0, 2, 5] where factor * power >= least * (1 - 1e-9) {
            return factor * power
        }
        return 10 * power
    }

    /// A logarithmic scale that ends at round values.
    ///
    /// Round values are 1, 2 or 5 times a power of ten.
    static func logarithmic(
        from minimum: Double,
        to maximum: Double,
        label: (Double) -> String
    ) -> PlotScale {
        let minimum = minimum.isFinite && minimum > 0 ? minimum : 1
        let maximum = max(maximum.isFinite ? maximum : minimum, minimum)
        var marks: [Double] = []
        var power = pow(10, log10(minimum).rounded(.down))
        while marks.last ?? 0 < maximum * (1 - 1e-9) || marks.count < 2, marks.count < 200 {
            for factor in [1.0, 2, 5] {
                let mark = factor * power
                if let last = marks.last, last >= maximum * (1 - 1e-9), marks.count >= 2 { break }
                if mark <= minimum * (1 + 1e-9) { marks = [mark] } else { marks.append(mark) }
            }
            power *= 10
        }
        let lower = marks.first ?? minimum
        let upper = marks.last ?? maximum
        // With more than ten marks only the powers of ten get a label.
        let named =
            marks.count <= 10
            ? marks
            : marks.filter { abs(log10($0) - log10($0).rounded()) < 1e-6 }
        return PlotScale(
            lower: lower,
            upper: upper,
            isLogarithmic: true,
            ticks: named.map { Tick(value: $0, label: label($0)) }
        )
    }

    /// A time scale in seconds since the start, with clock steps.
    static func time(upTo seconds: Double) -> PlotScale {
        let end = seconds.isFinite && seconds > 0 ? seconds : 1
        let steps: [Double] = [
            1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200,
            86_400,
        ]
        let step =
            end < 5
            ? roundStep(atLeast: end / 6)
            : steps.first { end / $0 <= 8 } ?? 86_400 * roundStep(atLeast: end / 86_400 / 8)
        let count = Int((end / step + 1e-9).rounded(.down))
        let ticks = (0...count).map { number in
            let value = Double(number) * step
            return Tick(value: value, label: timeLabel(value, step: step))
        }
        return PlotScale(lower: 0, upper: end, isLogarithmic: false, ticks: ticks)
    }

    private static func timeLabel(_ seconds: Double, step: Double) -> String {
        let (unit, length) =
            switch step {
            case ..<60: ("s", 1.0)
            case ..<3600: ("min", 60)
            case ..<86_400: ("h", 3600)
            default: ("d", 86_400)
            }
        guard seconds > 0 else { return "0" }
        let value = seconds / length
        let isWhole = abs(value - value.rounded()) < 1e-6
        let digits = isWhole ? 0 : abs(value * 10 - (value * 10).rounded()) < 1e-6 ? 1 : 2
        return "\(NumberFormat.decimal(value, digits: digits)) \(unit)"
    }
}

extension PlotScale {
    /// The histogram column of a value: four columns per doubling.
    static func column(of value: Double) -> Int { Int((log2(value) * 4).rounded(.down)) }

    /// The bounds of the values that a column counts.
    static func bounds(ofColumn column: Int) -> (lower: Double, upper: Double) {
        (exp2(Double(column) / 4), exp2(Double(column + 1) / 4))
    }
}
