import BatchFetch

extension RunReport {
    /// Writes the key figures.
    func writeFigures(to page: inout HTMLText) {
        page.element("section", ["class": "cards", "aria-label": "Key figures"]) { cards in
            Self.card("Fetched", NumberFormat.grouped(fetched), share(fetched), to: &cards)
            Self.card(
                "Failed",
                NumberFormat.grouped(failed),
                failed == 0 ? "none" : share(failed),
                isBad: failed > 0,
                to: &cards
            )
            let seconds = max(series.seconds, 1e-3)
            let rate = Double(fetched + failed) / seconds
            Self.card(
                "URLs per second",
                series.isEmpty ? "–" : NumberFormat.decimal(rate, digits: rate < 100 ? 1 : 0),
                retries == 0 ? "no retries" : NumberFormat.counted(retries, "retry", "retries"),
                to: &cards
            )
            Self.card(
                "Received",
                NumberFormat.bytes(bytes),
                series.isEmpty
                    ? ""
                    : "\(NumberFormat.bytes(Self.bytes(Double(bytes) / seconds)))/s on average",
                to: &cards
            )
            for (name, percent) in [("Median latency", 50.0), ("99th percentile", 99)] {
                let time = phases.total.percentile(percent)
                let isMedian = percent == 50
                Self.card(
                    name,
                    time.map { NumberFormat.duration($0) } ?? "–",
                    isMedian
                        ? "half of all fetches were faster"
                        : "longest \(NumberFormat.duration(phases.total.maximum))",
                    to: &cards
                )
            }
        }
    }

    private static func card(
        _ name: String,
        _ value: String,
        _ note: String,
        isBad: Bool = false,
        to cards: inout HTMLText
    ) {
        cards.element("dl", ["class": isBad ? "card bad" : "card"]) { card in
            card.element("dt", text: name)
            card.element("dd", ["class": "value"], text: value)
            card.element("dd", ["class": "note"], text: note)
        }
    }

    /// The share of all URLs in percent.
    func share(_ part: Int) -> String { Self.share(part, of: count) }

    static func share(_ part: Int, of all: Int) -> String {
        guard all > 0 else { return "0 %" }
        let percent = Double(part) * 100 / Double(all)
        if part > 0, percent < 0.01 { return "< 0.01 %" }
        // Anything less than all must not round to 100 %.
        if part < all, percent > 99.99 { return "> 99.99 %" }
        let digits = percent == percent.rounded() ? 0 : percent < 1 || percent > 99 ? 2 : 1
        return "\(NumberFormat.decimal(percent, digits: digits)) %"
    }

    // MARK: Outcomes

    private struct Outcome {
        let name: String
        let count: Int
        let style: StaticString
    }

    private var outcomes: [Outcome] {
        var outcomes = [Outcome(name: "fetched", count: fetched, style: "fetched")]
        if unchanged > 0 {
            outcomes.append(Outcome(name: "unchanged", count: unchanged, style: "existing"))
        }
        if existing > 0 {
            outcomes.append(Outcome(name: "already existed", count: existing, style: "existing"))
        }
        let styles: [StaticString] = ["failed-1", "failed-2", "failed-3", "failed-4"]
        let rows = failures.sorted
        for (row, style) in zip(rows, styles) {
            outcomes.append(Outcome(name: row.name, count: row.count, style: style))
        }
        let others = rows.dropFirst(styles.count).reduce(0) { $0 + $1.count }
        if others > 0 {
            outcomes.append(Outcome(name: "other failures", count: others, style: "failed-5"))
        }
        return outcomes
    }

    /// Writes the outcomes of the URLs as a bar and a table.
    func writeOutcomes(to page: inout HTMLText) {
        page.element("section") { section in
            section.element("h2", text: "Outcomes")
            if count > 0 { writeBar(outcomes, to: &section) }
            section.element("table") { table in
                table.element("caption", text: "Outcomes of \(NumberFormat.grouped(count)) URLs")
                Self.writeHeadings(
                    [("Outcome", false), ("URLs", true), ("Share", true)],
                    to: &table
                )
                table.element("tbody") { body in
                    for outcome in outcomes {
                        body.element("tr") { row in
                            row.element("th", ["scope": "row"]) { cell in
                                let style = "swatch \(outcome.style)"
                                cell.element("span", ["class": style]) { _ in }
                                cell.element("bdi", text: outcome.name)
                            }
                            Self.writeNumber(NumberFormat.grouped(outcome.count), to: &row)
                            Self.writeNumber(share(outcome.count), to: &row)
                        }
                    }
                }
            }
            writeStatuses(to: &section)
        }
    }

    private func writeBar(_ outcomes: [Outcome], to page: inout HTMLText) {
        let text = outcomes.map { "\($0.name) \(share($0.count))" }.joined(separator: ", ")
        page.element(
            "svg",
            ["viewBox": "0 0 900 28", "role": "img", "aria-label": text, "class": "bar"]
        ) { svg in
            var place = 0.0
            for outcome in outcomes where outcome.count > 0 {
                // Even the smallest share stays visible.
                let length = max(2, 900 * Double(outcome.count) / Double(max(1, count)))
                Plot.rectangle(
                    from: (min(place, 898), 0),
                    to: (min(900, place + length - 1), 28),
                    outcome.style,
                    tip: "\(outcome.name): \(NumberFormat.grouped(outcome.count))",
                    to: &svg
                )
                place += length
            }
        }
    }

    private func writeStatuses(to page: inout HTMLText) {
        guard !statuses.isEmpty else { return }
        let most = statuses.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(8)
        let text = most.map { "\($0.key): \(NumberFormat.grouped($0.value))" }
            .joined(separator: " · ")
        page.element("p", ["class": "note"]) { note in
            note.text("Responses by status: \(text)\(statuses.count > 8 ? " · …" : ""). ")
            guard fetched > 0 else { return }
            note.text(
                "Of the fetched URLs \(Self.share(reused, of: fetched)) reused an open connection, "
                    + "and \(Self.share(http2, of: fetched)) used HTTP/2."
            )
        }
    }

    // MARK: Tables

    static func writeHeadings(
        _ names: [(name: String, isNumber: Bool)],
        to table: inout HTMLText
    ) {
        table.element("thead") { head in
            head.element("tr") { row in
                for (name, isNumber) in names {
                    row.element(
                        "th",
                        ["scope": "col", "class": isNumber ? "number" : "words"],
                        text: name
                    )
                }
            }
        }
    }

    static func writeNumber(_ text: String, to row: inout HTMLText) {
        row.element("td", ["class": "number"], text: text)
    }
}
