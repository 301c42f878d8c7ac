import BatchFetch

extension RunReport {
    private static let percentiles: [(percent: Double, name: String, style: StaticString)] = [
        (50, "p50 (median)", "p50"), (90, "p90", "p90"), (99, "p99", "p99"),
    ]

    /// Writes the percentiles over time and the distribution of latencies.
    func writeLatency(to page: inout HTMLText) {
        page.element("section") { section in
            section.element("h2", text: "Latency")
            guard phases.total.count > 0 else {
                return section.element("p", ["class": "note"], text: "Nothing was fetched.")
            }
            let points = series.points
            if points.contains(where: { $0.bucket.latency.count > 0 }) {
                writePercentiles(points, to: &section)
            }
            writeDistribution(to: &section)
            writeTable(
                "Figures: latency over time",
                [("From", true), ("Fetched", true)]
                    + Self.percentiles.map { ($0.name, true) } + [("longest", true)],
                points.map { point in
                    let latency = point.bucket.latency
                    let times = Self.percentiles.map { Self.text(latency.percentile($0.percent)) }
                    let longest = latency.count > 0 ? latency.maximum : nil
                    return [
                        Self.moment(point.start), NumberFormat.grouped(point.bucket.fetched),
                    ] + times + [Self.text(longest)]
                },
                to: &section
            )
        }
    }

    private func writePercentiles(_ points: [TimeSeries.Point], to page: inout HTMLText) {
        let curves = Self.percentiles.map { percent, name, style in
            Plot.Curve(
                name: name,
                style: style,
                values: points.map { point in
                    point.bucket.latency.percentile(percent).map { max(1e-6, $0 / .seconds(1)) }
                }
            )
        }
        let values = curves.flatMap { $0.values.compactMap { $0 } }
        let plot = Plot(
            id: "latency",
            title: "Latency percentiles over time",
            summary: """
                The median was between \(Self.range(curves[0])), the 99th percentile between \
                \(Self.range(curves[2])).
                """,
            xName: Self.timeName,
            yName: "fetch time (log scale)",
            x: .time(upTo: series.seconds),
            y: .logarithmic(from: values.min() ?? 1e-3, to: values.max() ?? 1) {
                Self.shortTime($0)
            }
        )
        let tips = points.map { point in
            let times = Self.percentiles.map { percent, name, _ in
                "\(name) \(Self.text(point.bucket.latency.percentile(percent)))"
            }
            return "\(Self.moment(point.start)): \(times.joined(separator: ", "))"
        }
        writeFigure(
            "Time from the start of a fetch to its last byte; a point is \(width).",
            Self.percentiles.map { ($0.name, $0.style) },
            to: &page
        ) { page in
            plot.write(to: &page) { svg in
                plot.draw(curves, at: points.map(\.middle), to: &svg)
                plot.drawTips(tips, from: points.map(\.start), to: points.map(\.end), to: &svg)
            }
        }
    }

    private func writeDistribution(to page: inout HTMLText) {
        let columns = Self.columns(of: phases.total)
        guard let first = columns.first, let last = columns.last else { return }
        let most = columns.map(\.count).max() ?? 1
        let plot = Plot(
            id: "distribution",
            title: "Distribution of latencies",
            summary: """
                Half of the fetches took up to \(Self.text(phases.total.percentile(50))), 99 % up to \
                \(Self.text(phases.total.percentile(99))).
                """,
            xName: "fetch time (log scale)",
            yName: "fetched URLs",
            x: .logarithmic(from: first.lower, to: last.upper) { Self.shortTime($0) },
            y: .linear(upTo: most) { Self.rate($0) }
        )
        writeFigure("Fetches by duration.", [], to: &page) { page in
            plot.write(to: &page) { svg in
                let (starts, ends) = (columns.map(\.lower), columns.map(\.upper))
                plot.draw(
                    [Plot.Curve(name: "fetched", style: "fetched", values: columns.map(\.count))],
                    from: starts,
                    to: ends,
                    to: &svg
                )
                writeMarks(plot, to: &svg)
                plot.drawTips(
                    columns.map { column in
                        "\(Self.shortTime(column.lower)) to \(Self.shortTime(column.upper)): "
                            + "\(NumberFormat.decimal(column.count, digits: 0)) fetched"
                    },
                    from: starts,
                    to: ends,
                    to: &svg
                )
            }
        }
    }

    /// Marks the percentiles.
    private func writeMarks(_ plot: Plot, to svg: inout HTMLText) {
        let styles: [(Double, StaticString)] = [
            (50, "mark"), (90, "mark p90"), (99, "mark p99"),
        ]
        var labels: [(text: String, place: Double)] = []
        for (percent, style) in styles {
            guard let time = phases.total.percentile(percent) else { continue }
            let place = plot.horizontal(time / .seconds(1))
            Plot.line(
                from: (place, Plot.top),
                to: (place, Plot.height - Plot.bottom),
                style,
                to: &svg
            )
            let text = "p\(Int(percent))"
            // Labels that would overlap are one.
            if let last = labels.last, place - last.place < Self.labelWidth(last.text) + 6 {
                labels[labels.count - 1].text += ", \(text)"
            } else {
                labels.append((text, place))
            }
        }
        for label in labels {
            let half = Self.labelWidth(label.text) / 2
            let place = min(max(label.place, half), Plot.width - half)
            // The label is above the plot area, because the highest column may reach its top.
            Plot.text(label.text, at: (place, Plot.top - 3), "label middle", to: &svg)
        }
    }

    /// The width of a label, roughly.
    private static func labelWidth(_ text: String) -> Double { 7 * Double(text.count) }

    /// Columns of a quarter of a doubling each; bounds in seconds.
    private static func columns(of histogram: LatencyHistogram)
        -> [(lower: Double, upper: Double, count: Double)]
    {
        var coarse: [Int: Double] = [:]
        for bucket in histogram.buckets {
            let middle = max(1e-6, (bucket.lower + bucket.upper) / 2 / .seconds(1))
            coarse[PlotScale.column(of: middle), default: 0] += Double(bucket.count)
        }
        return coarse.keys.sorted().map { column in
            let bounds = PlotScale.bounds(ofColumn: column)
            return (bounds.lower, bounds.upper, coarse[column] ?? 0)
        }
    }

    static func text(_ time: Duration?) -> String {
        time.map { NumberFormat.duration($0) } ?? "–"
    }

    private static func range(_ curve: Plot.Curve) -> String {
        let values = curve.values.compactMap { $0 }
        let (least, most) = (values.min() ?? 0, values.max() ?? 0)
        return "\(NumberFormat.duration(.seconds(least))) and "
            + NumberFormat.duration(.seconds(most))
    }

    /// Formats a time for an axis, for example as "20 ms".
    static func shortTime(_ seconds: Double) -> String {
        let (value, unit) =
            switch seconds {
            case ..<0.000_999: (seconds * 1e6, "µs")
            case ..<0.999: (seconds * 1e3, "ms")
            default: (seconds, "s")
            }
        let isWhole = abs(value - value.rounded()) < 0.05
        return "\(NumberFormat.decimal(value, digits: isWhole || value >= 100 ? 0 : 1)) \(unit)"
    }
}
