import Testing

@testable import BatchFetch
@testable import BatchReport

/// Time buckets at their edges, and when they are merged.
@Suite struct TimeSeriesBucketTests {
    @Test("An empty time series has no duration and no points")
    func emptySeriesHasNoTime() {
        let series = TimeSeries()
        #expect(series.isEmpty && series.seconds == 0 && series.points.isEmpty)
    }

    @Test("A result counts in the bucket of its end")
    func resultCountsAtItsEnd() {
        var series = TimeSeries()
        let width = series.width
        for end in [width - 1, width, 2 * width - 1, 2 * width] {
            series.add(.sample(), from: 0, to: end)
        }
        series.add(.sample(failed: true), from: 0, to: 2 * width)
        #expect(series.width == width)
        #expect((0...2).map { series.buckets[$0]?.fetched } == [1, 2, 1])
        #expect(series.buckets[2]?.failed == 1 && series.buckets[2]?.latency.count == 1)
    }

    @Test("The bytes of a result without a duration are in one bucket")
    func instantHasItsBytesInOneBucket() {
        var series = TimeSeries()
        series.add(.sample(bytes: 100), from: 1_000_000, to: 1_000_000)
        #expect(series.seconds == 0 && !series.isEmpty)
        #expect(series.points.count == 1 && series.points[0].bucket.bytes == 100)
        // A bucket counts as half of one at least.
        #expect(series.points[0].seconds == Double(series.width) / 2e6)
    }

    @Test("A result's bytes are distributed over buckets by the time in each")
    func bytesAreSharedByTime() {
        var series = TimeSeries()
        let width = series.width
        // A quarter in the first bucket, half in the second, a quarter in the third.
        series.add(.sample(bytes: 400), from: width / 2, to: width * 5 / 2)
        let bytes = (0...2).map { series.buckets[$0]?.bytes ?? 0 }
        #expect(zip(bytes, [100, 200, 100]).allSatisfy { abs($0 - $1) < 1e-6 })
        // A result that ends where a bucket ends has no bytes in the next.
        var exact = TimeSeries()
        exact.add(.sample(bytes: 100), from: 0, to: width)
        #expect(exact.buckets[0]?.bytes == 100 && exact.buckets[1]?.bytes ?? 0 == 0)
    }

    @Test("Buckets become wider only when their number would exceed the limit")
    func bucketsAreWidenedAtTheLimit() {
        var series = TimeSeries()
        let width = series.width
        let limit = Int64(TimeSeries.maximumCount)
        series.add(.sample(), from: 0, to: 0)
        series.add(.sample(), from: width * limit - 1, to: width * limit - 1)
        #expect(series.width == width && series.points.count == TimeSeries.maximumCount)
        series.add(.sample(), from: width * limit, to: width * limit)
        #expect(series.width == 2 * width)
        #expect(series.points.count == TimeSeries.maximumCount / 2 + 1)
        #expect(series.points.reduce(0) { $0 + $1.bucket.fetched } == 3)
        // An earlier start widens them, too.
        var back = TimeSeries()
        back.add(.sample(), from: width * limit, to: width * limit)
        back.add(.sample(), from: 0, to: 0)
        #expect(back.width == 2 * width)
    }

    @Test("Times from the year 10000 on are ignored")
    func latestTimesAreLimited() {
        let latest: Int64 = 253_402_300_800_000_000
        var series = TimeSeries()
        series.add(.sample(), from: latest, to: latest)
        series.add(.sample(), from: 0, to: .max)
        #expect(series.isEmpty)
        series.add(.sample(), from: latest - 1, to: latest - 1)
        series.add(.sample(bytes: 1), from: 0, to: latest - 1)
        #expect(series.points.count <= TimeSeries.maximumCount)
        #expect(series.points.reduce(0) { $0 + $1.bucket.fetched } == 2)
        #expect(abs(series.points.reduce(0) { $0 + $1.bucket.bytes } - 1) < 1e-6)
    }

    @Test("The points cover the time from the first start to the last end without gaps")
    func pointsHaveNoGaps() {
        var series = TimeSeries()
        let start: Int64 = 1_700_000_000_012_345
        series.add(.sample(), from: start, to: start + 5_000)
        series.add(.sample(), from: start + 3_000_000, to: start + 3_400_000)
        let points = series.points
        #expect(points.first?.start == 0 && abs((points.last?.end ?? 0) - 3.4) < 1e-9)
        for (one, next) in zip(points, points.dropFirst()) {
            #expect(one.end == next.start && one.middle < next.middle)
        }
        #expect(points.filter { $0.bucket.fetched > 0 }.count == 2)
        #expect(series.seconds == 3.4)
    }
}
