import BatchFetch

extension RunReport {
    /// Writes the URLs and bytes per second over time.
    func writeThroughput(to page: inout HTMLText) {
        page.element("section") { section in
            section.element("h2", text: "Throughput over time")
            let points = series.points
            guard !points.isEmpty else {
                return section.element("p", ["class": "note"], text: "The results have no times.")
            }
            writeRates(points, to: &section)
            writeBytes(points, to: &section)
            writeTable(
                "Figures: throughput",
                [
                    ("From", true), ("Fetched", true), ("Failed", true), ("URLs/s", true),
                    ("Bytes/s", true),
                ],
                points.map { point in
                    [
                        Self.moment(point.start), NumberFormat.grouped(point.bucket.fetched),
                        NumberFormat.grouped(point.bucket.failed),
                        Self.rate(
                            Double(point.bucket.fetched + point.bucket.failed) / point.seconds
                        ),
                        NumberFormat.bytes(Self.bytes(point.bucket.bytes / point.seconds)) + "/s",
                    ]
                },
                to: &section
            )
        }
    }

    private func writeRates(_ points: [TimeSeries.Point], to page: inout HTMLText) {
        let fetched = points.map { Double($0.bucket.fetched) / $0.seconds }
        let failed = points.map { Double($0.bucket.failed) / $0.seconds }
        let sums = zip(fetched, failed).map { $0 + $1 }
        let most = sums.max() ?? 0
        let plot = Plot(
            id: "rates",
            title: "URLs per second over time",
            summary: "Up to \(Self.rate(most)) URLs per second were completed.",
            xName: Self.timeName,
            yName: "URLs per second",
            x: .time(upTo: series.seconds),
            y: .linear(upTo: most) { Self.rate($0) }
        )
        var entries: [(name: String, style: StaticString)] = [("fetched", "fetched")]
        if self.failed > 0 { entries.append(("failed", "failed-1")) }
        let tips = zip(points, sums).map { point, sum in
            "\(Self.moment(point.start)): \(NumberFormat.grouped(point.bucket.fetched)) fetched, "
                + "\(NumberFormat.grouped(point.bucket.failed)) failed, \(Self.rate(sum)) URLs/s"
        }
        writeFigure("URLs per second; a column is \(width).", entries, to: &page) { page in
            plot.write(to: &page) { svg in
                let (starts, ends) = (points.map(\.start), points.map(\.end))
                plot.draw(
                    [
                        Plot.Curve(name: "fetched", style: "fetched", values: fetched),
                        Plot.Curve(name: "failed", style: "failed-1", values: failed),
                    ],
                    from: starts,
                    to: ends,
                    to: &svg
                )
                plot.drawTips(tips, from: starts, to: ends, to: &svg)
            }
        }
    }

    private func writeBytes(_ points: [TimeSeries.Point], to page: inout HTMLText) {
        let rates = points.map { $0.bucket.bytes / $0.seconds }
        let most = rates.max() ?? 0
        guard most > 0 else { return }
        let plot = Plot(
            id: "bytes",
            title: "Bytes per second over time",
            summary: "Up to \(NumberFormat.bytes(Self.bytes(most))) per second were received.",
            xName: Self.timeName,
            yName: "bytes per second",
            x: .time(upTo: series.seconds),
            y: .linear(upTo: most) { Self.shortBytes($0) }
        )
        let tips = zip(points, rates).map { point, rate in
            "\(Self.moment(point.start)): \(NumberFormat.bytes(Self.bytes(rate)))/s"
        }
        writeFigure("Bytes of bodies per second, as transferred.", [], to: &page) { page in
            plot.write(to: &page) { svg in
                let (starts, ends) = (points.map(\.start), points.map(\.end))
                plot.draw(
                    [Plot.Curve(name: "bytes", style: "bytes", values: rates)],
                    from: starts,
                    to: ends,
                    to: &svg
                )
                plot.drawTips(tips, from: starts, to: ends, to: &svg)
            }
        }
    }

    // MARK: Parts

    static let timeName = "time since the first fetch began"

    /// The time span of a column.
    var width: String { Self.moment(Double(series.width) / 1e6) }

    func writeFigure(
        _ caption: String,
        _ legend: [(name: String, style: StaticString)],
        to page: inout HTMLText,
        _ content: (inout HTMLText) -> Void
    ) {
        page.element("figure") { figure in
            figure.element("figcaption") { head in
                head.element("span", text: caption)
                if !legend.isEmpty { Plot.writeLegend(legend, to: &head) }
            }
            content(&figure)
        }
    }

    /// Writes a plot's data as a table.
    ///
    /// It serves screen readers and shows exact values.
    func writeTable(
        _ title: String,
        _ headings: [(name: String, isNumber: Bool)],
        _ rows: [[String]],
        to page: inout HTMLText
    ) {
        page.element("details") { details in
            details.element("summary", text: title)
            details.element("table") { table in
                Self.writeHeadings(headings, to: &table)
                table.element("tbody") { body in
                    for row in rows {
                        body.element("tr") { line in
                            for cell in row { Self.writeNumber(cell, to: &line) }
                        }
                    }
                }
            }
        }
    }

    static func moment(_ seconds: Double) -> String {
        guard seconds < 120 else { return NumberFormat.duration(.seconds(seconds)) }
        let isWhole = abs(seconds - seconds.rounded()) < 0.005
        return "\(NumberFormat.decimal(seconds, digits: isWhole ? 0 : 2)) s"
    }

    static func rate(_ rate: Double) -> String {
        NumberFormat.decimal(rate, digits: rate < 10 && rate != rate.rounded() ? 1 : 0)
    }

    static func bytes(_ bytes: Double) -> Int64 {
        bytes.isFinite && bytes < 9e18 ? Int64(max(0, bytes)) : .max
    }

    /// Formats bytes for an axis, for example as "5 MB".
    static func shortBytes(_ bytes: Double) -> String {
        var value = bytes
        for unit in ["B", "kB", "MB", "GB"] {
            if value < 999.5 {
                let digits = value == value.rounded() ? 0 : value < 10 ? 1 : 0
                return "\(NumberFormat.decimal(value, digits: digits)) \(unit)"
            }
            value /= 1000
        }
        return "\(NumberFormat.decimal(value, digits: 0)) TB"
    }
}
