import Testing

@testable import BatchFetch
@testable import BatchReport

/// The scales of a plot's axes, and the coordinates of what is drawn.
@Suite struct PlotScaleTests {
    private func labels(_ scale: PlotScale) -> [String] { scale.ticks.map(\.label) }

    @Test(
        "A linear scale ends at the first round step that isn't below the maximum",
        arguments: [
            (1, 1, 0.5), (3, 3, 1), (4, 4, 1), (4.1, 6, 2), (7, 8, 2), (8, 8, 2), (8.1, 10, 5),
            (20, 20, 5), (21, 30, 10), (0.003, 0.003, 0.001), (0, 1, 0.5), (-5, 1, 0.5),
            (.infinity, 1, 0.5), (.nan, 1, 0.5),
        ] as [(Double, Double, Double)]
    )
    func linearScaleEndsAtARoundStep(maximum: Double, upper: Double, step: Double) {
        let scale = PlotScale.linear(upTo: maximum) { "\($0)" }
        #expect(scale.lower == 0 && !scale.isLogarithmic)
        #expect(abs(scale.upper - upper) < upper * 1e-9)
        #expect(abs(scale.ticks[1].value - step) < step * 1e-9)
        #expect(scale.ticks.first?.value == 0 && scale.ticks.last?.value == scale.upper)
    }

    @Test(
        "A logarithmic scale begins and ends at 1, 2 or 5 times a power of ten",
        arguments: [
            (1, 10, 1, 10), (1.5, 3, 1, 5), (2, 2, 2, 5), (0.02, 0.07, 0.02, 0.1), (5, 6, 5, 10),
            (9, 11, 5, 20), (0, 0, 1, 2), (-1, 100, 1, 100), (.nan, .nan, 1, 2),
            (3, 2, 2, 5), (1e-6, 1e3, 1e-6, 1e3),
        ] as [(Double, Double, Double, Double)]
    )
    func logarithmicScaleEndsAtRoundValues(
        minimum: Double,
        maximum: Double,
        lower: Double,
        upper: Double
    ) {
        let scale = PlotScale.logarithmic(from: minimum, to: maximum) { "\($0)" }
        #expect(scale.isLogarithmic)
        #expect(abs(scale.lower / lower - 1) < 1e-9, "\(scale.lower)")
        #expect(abs(scale.upper / upper - 1) < 1e-9, "\(scale.upper)")
    }

    @Test("With more than ten marks, only the powers of ten have labels")
    func manyMarksHaveFewLabels() {
        let few = PlotScale.logarithmic(from: 1, to: 1000) { NumberFormat.decimal($0, digits: 0) }
        #expect(labels(few) == ["1", "2", "5", "10", "20", "50", "100", "200", "500", "1,000"])
        let many = PlotScale.logarithmic(from: 1, to: 2000) { NumberFormat.decimal($0, digits: 0) }
        #expect(labels(many) == ["1", "10", "100", "1,000"])
    }

    @Test(
        "A time scale has round steps in seconds, minutes, hours or days",
        arguments: [
            (1, ["0", "0.2 s", "0.4 s", "0.6 s", "0.8 s", "1 s"]),
            (5, ["0", "1 s", "2 s", "3 s", "4 s", "5 s"]),
            (8, ["0", "1 s", "2 s", "3 s", "4 s", "5 s", "6 s", "7 s", "8 s"]),
            (9, ["0", "2 s", "4 s", "6 s", "8 s"]),
            (100, ["0", "15 s", "30 s", "45 s", "60 s", "75 s", "90 s"]),
            (480, ["0", "1 min", "2 min", "3 min", "4 min", "5 min", "6 min", "7 min", "8 min"]),
            (3600, ["0", "10 min", "20 min", "30 min", "40 min", "50 min", "60 min"]),
            (
                7200,
                [
                    "0", "15 min", "30 min", "45 min", "60 min", "75 min", "90 min", "105 min",
                    "120 min",
                ]
            ),
            (28_800, ["0", "1 h", "2 h", "3 h", "4 h", "5 h", "6 h", "7 h", "8 h"]),
            (259_200, ["0", "12 h", "24 h", "36 h", "48 h", "60 h", "72 h"]),
            (864_000, ["0", "2 d", "4 d", "6 d", "8 d", "10 d"]),
            (0, ["0", "0.2 s", "0.4 s", "0.6 s", "0.8 s", "1 s"]),
        ] as [(Double, [String])]
    )
    func timeScaleHasStepsOfAClock(seconds: Double, expected: [String]) {
        let scale = PlotScale.time(upTo: seconds)
        #expect(labels(scale) == expected)
        #expect(scale.lower == 0 && scale.upper == (seconds > 0 ? seconds : 1))
    }

    @Test("A value's position on a scale is between 0 and 1")
    func positionIsTheShareOfTheScale() {
        let linear = PlotScale.linear(upTo: 10) { "\($0)" }
        for (value, position) in [(0, 0), (5, 0.5), (10, 1), (-1, 0), (11, 1), (.nan, 0)]
            as [(Double, Double)]
        {
            #expect(linear.position(of: value) == position)
        }
        let logarithmic = PlotScale.logarithmic(from: 1, to: 100) { "\($0)" }
        for (value, position) in [(1, 0), (10, 0.5), (100, 1), (0, 0), (-3, 0), (1e9, 1)]
            as [(Double, Double)]
        {
            #expect(abs(logarithmic.position(of: value) - position) < 1e-9)
        }
    }

    @Test("A histogram has four columns for each doubling, without gaps")
    func columnsHaveNoGaps() {
        #expect(PlotScale.column(of: 1) == 0 && PlotScale.column(of: 2) == 4)
        #expect(PlotScale.column(of: 0.5) == -4 && PlotScale.column(of: 1.99) == 3)
        for column in -80...40 {
            let bounds = PlotScale.bounds(ofColumn: column)
            #expect(bounds.upper == PlotScale.bounds(ofColumn: column + 1).lower)
            #expect(PlotScale.column(of: (bounds.lower + bounds.upper) / 2) == column)
        }
    }
}
