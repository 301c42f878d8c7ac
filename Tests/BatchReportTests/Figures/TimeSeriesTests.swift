import Testing

@testable import BatchFetch
@testable import BatchReport

@Suite struct TimeSeriesTests {
    @Test func countsAreKeptWhenBucketsAreMerged() {
        var series = TimeSeries()
        for second in 0..<5000 {
            let end = Int64(1_000_000 * (second + 1))
            series.add(
                .sample(bytes: 10, failed: second % 10 == 0),
                from: Int64(1_000_000 * second),
                to: end
            )
        }
        let points = series.points
        #expect(
            points.count <= TimeSeries.maximumCount && points.count > TimeSeries.maximumCount / 3
        )
        #expect(points.reduce(0) { $0 + $1.bucket.fetched } == 4500)
        #expect(points.reduce(0) { $0 + $1.bucket.failed } == 500)
        #expect(abs(points.reduce(0) { $0 + $1.bucket.bytes } - 50_000) < 1)
        #expect(points.reduce(0) { $0 + $1.bucket.latency.count } == 4500)
        #expect(series.seconds == 5000)
        // One result per second, in the middle.
        let middle = points[points.count / 2]
        #expect(
            abs(Double(middle.bucket.fetched + middle.bucket.failed) / middle.seconds - 1) < 0.1
        )
    }

    @Test func bytesAreSpreadOverTheFetch() {
        var series = TimeSeries()
        series.add(.sample(bytes: 1000), from: 0, to: 1_000_000)
        let points = series.points
        #expect(points.count > 10)
        for point in points.dropLast() { #expect(abs(point.bucket.bytes - 62.5) < 0.1) }
        #expect(points.filter { $0.bucket.fetched > 0 }.count == 1)
    }

    @Test func invalidTimesAreIgnored() {
        var series = TimeSeries()
        series.add(.sample(), from: -5, to: 10)
        series.add(.sample(), from: 10, to: 5)
        #expect(series.isEmpty && series.points.isEmpty)
    }

    @Test(arguments: [0.0, 0.001, 0.3, 4, 59, 60, 3600, 86_400, 1e7, 1e12, .infinity, .nan])
    func axesHaveFewMarks(_ maximum: Double) {
        for scale in [
            PlotScale.time(upTo: maximum), .linear(upTo: maximum) { "\($0)" },
            .logarithmic(from: maximum / 1000, to: maximum) { "\($0)" },
        ] {
            #expect((1...16).contains(scale.ticks.count), "\(maximum): \(scale.ticks.map(\.label))")
            #expect(scale.lower < scale.upper)
            for tick in scale.ticks { #expect((0...1).contains(scale.position(of: tick.value))) }
            #expect(scale.position(of: .nan) == 0)
        }
    }

    @Test func marksAreRound() {
        let time = PlotScale.time(upTo: 700)
        #expect(time.ticks.map(\.label) == ["0", "2 min", "4 min", "6 min", "8 min", "10 min"])
        let linear = PlotScale.linear(upTo: 930) { NumberFormat.decimal($0, digits: 0) }
        #expect(linear.ticks.map(\.label) == ["0", "500", "1,000"])
        let logarithmic = PlotScale.logarithmic(from: 0.004, to: 0.3) { "\($0)" }
        #expect(logarithmic.lower == 0.002 && logarithmic.upper == 0.5)
    }
}

extension ReportSample {
    /// A result that took 10 ms.
    static func sample(bytes: Int64 = 0, failed: Bool = false) -> ReportSample {
        var sample = ReportSample()
        sample.bytes = bytes
        sample.failure = failed ? ("timeout", "too late") : nil
        sample.timings.total = .milliseconds(10)
        return sample
    }
}
