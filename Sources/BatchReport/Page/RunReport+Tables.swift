import BatchFetch

extension RunReport {
    /// Writes the durations of the phases of a fetch.
    func writePhases(to page: inout HTMLText) {
        guard phases.total.count > 0 else { return }
        page.element("section") { section in
            section.element("h2", text: "Where the time went")
            section.element("table") { table in
                table.element("caption", text: "Phases of the last attempts of fetched URLs")
                Self.writeHeadings(
                    [("Phase", false), ("URLs", true), ("p50", true), ("p90", true), ("p99", true)]
                        + [("longest", true)],
                    to: &table
                )
                table.element("tbody") { body in
                    for row in phases.rows where row.times.count > 0 {
                        body.element("tr") { line in
                            line.element("th", ["scope": "row"]) { cell in
                                cell.text(row.name)
                                cell.element("span", ["class": "hint"], text: row.meaning)
                            }
                            Self.writeNumber(
                                NumberFormat.grouped(Int(clamping: row.times.count)),
                                to: &line
                            )
                            for percent in [50.0, 90, 99] {
                                Self.writeNumber(
                                    Self.text(row.times.percentile(percent)),
                                    to: &line
                                )
                            }
                            Self.writeNumber(NumberFormat.duration(row.times.maximum), to: &line)
                        }
                    }
                }
            }
        }
    }

    // MARK: Hosts

    /// Writes the slowest hosts and those with the most failures.
    func writeHosts(to page: inout HTMLText) {
        let slowest = hosts.slowest(15)
        let mostFailed = hosts.mostFailed(10)
        guard !slowest.isEmpty || !mostFailed.isEmpty else { return }
        page.element("section") { section in
            section.element("h2", text: "Hosts")
            if hosts.forgotten > 0 {
                section.element(
                    "p",
                    ["class": "note"],
                    text: """
                        There were too many hosts to keep all: the fastest ones were dropped, so some figures \
                        may be too small.
                        """
                )
            }
            if !slowest.isEmpty {
                let longest = slowest.map { $0.latency }.max() ?? .zero
                writeHosts(
                    "Slowest hosts by 90th percentile",
                    slowest,
                    measuring: (5, "p90", { $0.latency / max(longest, .microseconds(1)) }),
                    to: &section
                )
            }
            if !mostFailed.isEmpty {
                let most = mostFailed.map { $0.figures.failed }.max() ?? 1
                writeHosts(
                    "Hosts with the most failed URLs",
                    mostFailed,
                    measuring: (
                        3, "failed-1", { Double($0.figures.failed) / Double(max(1, most)) }
                    ),
                    to: &section
                )
            }
        }
    }

    /// - Parameter bar: The column before which a bar is drawn, its style, and its length from 0 to
    ///   1.
    private func writeHosts(
        _ caption: String,
        _ rows: [HostTable.Row],
        measuring bar: (column: Int, style: StaticString, length: (HostTable.Row) -> Double),
        to page: inout HTMLText
    ) {
        var headings: [(name: String, isNumber: Bool)] = [
            ("Host", false), ("URLs", true), ("Failed", true), ("p50", true), ("p90", true),
            ("longest", true), ("Received", true),
        ]
        headings.insert(("", false), at: bar.column)
        page.element("table") { table in
            table.element("caption", text: caption)
            Self.writeHeadings(headings, to: &table)
            table.element("tbody") { body in
                for row in rows {
                    body.element("tr") { line in
                        line.element("th", ["scope": "row", "class": "url"]) {
                            $0.element("bdi", text: row.host)
                        }
                        for (index, text) in Self.cells(row.figures).enumerated() {
                            if index + 1 == bar.column {
                                Self.writeBar(bar.length(row), bar.style, to: &line)
                            }
                            Self.writeNumber(text, to: &line)
                        }
                    }
                }
            }
        }
    }

    private static func cells(_ figures: HostTable.Figures) -> [String] {
        let latency = figures.latency
        return [
            NumberFormat.grouped(figures.count), NumberFormat.grouped(figures.failed),
            text(latency.percentile(50)), text(latency.percentile(90)),
            text(latency.count > 0 ? latency.maximum : nil), NumberFormat.bytes(figures.bytes),
        ]
    }

    /// Writes a share as a bar, next to the figure.
    private static func writeBar(
        _ share: Double,
        _ style: StaticString,
        to line: inout HTMLText
    ) {
        line.element("td", ["class": "meter", "aria-hidden": "true"]) { cell in
            cell.element("svg", ["viewBox": "0 0 100 10", "preserveAspectRatio": "none"]) { svg in
                Plot.rectangle(from: (0, 0), to: (100, 10), "track", to: &svg)
                Plot.rectangle(from: (0, 0), to: (min(100, share * 100), 10), style, to: &svg)
            }
        }
    }

    // MARK: Failures

    /// Writes the failures with an example of each.
    func writeFailures(to page: inout HTMLText) {
        let rows = failures.sorted
        page.element("section") { section in
            section.element("h2", text: "Failures")
            guard !rows.isEmpty else {
                return section.element("p", ["class": "note"], text: "Nothing failed.")
            }
            section.element("table") { table in
                table.element(
                    "caption",
                    text: "Failures by kind, with the first URL of each"
                )
                Self.writeHeadings(
                    [("Failure", false), ("URLs", true), ("Share", true), ("Example", false)],
                    to: &table
                )
                table.element("tbody") { body in
                    for row in rows { Self.writeFailure(row, of: count, to: &body) }
                }
            }
        }
    }

    private static func writeFailure(
        _ row: FailureTable.Row,
        of count: Int,
        to body: inout HTMLText
    ) {
        body.element("tr") { line in
            line.element("th", ["scope": "row", "class": "name"]) {
                $0.element("bdi", text: row.name)
            }
            writeNumber(NumberFormat.grouped(row.count), to: &line)
            writeNumber(share(row.count, of: count), to: &line)
            line.element("td", ["class": "url"]) { cell in
                cell.element("bdi", text: row.url)
                cell.element("span", ["class": "hint"]) { hint in
                    hint.text("line \(NumberFormat.grouped(row.line)): ")
                    hint.element("bdi", text: row.message)
                }
            }
        }
    }

    // MARK: Damage

    /// Writes the unreadable lines of results.
    func writeDamage(to page: inout HTMLText) {
        guard damaged > 0 else { return }
        page.element("section") { section in
            section.element("h2", text: "Damaged lines")
            section.element(
                "p",
                text: """
                    \(NumberFormat.counted(damaged, "line", "lines")) of the results \
                    could not be read, and \(damaged == 1 ? "is" : "are") not counted above.
                    """
            )
            section.element("ul", ["class": "damage"]) { list in
                for line in damagedLines {
                    list.element("li") { item in
                        item.text("Line \(NumberFormat.grouped(line.line)): ")
                        item.element("bdi", text: line.reason)
                    }
                }
                let rest = damaged - damagedLines.count
                if rest > 0 {
                    list.element("li", text: "… and \(NumberFormat.grouped(rest)) more")
                }
            }
        }
    }
}
