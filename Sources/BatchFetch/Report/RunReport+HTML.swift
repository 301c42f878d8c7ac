extension RunReport {
    /// The page, as one document of HTML: it loads nothing, runs nothing, and can be read by eyes and
    /// by screen readers, in light and in dark. Texts of URLs and servers are escaped; user names and
    /// passwords are left out of URLs.
    ///
    /// - Parameter title: What the page is about: the name of the results, for instance.
    public func html(title: String) -> String {
        var page = HTMLText()
        page.source("<!DOCTYPE html>\n")
        page.element("html", ["lang": "en"]) { page in
            writeHead(title, to: &page)
            page.element("body") { page in
                writeHeader(title, to: &page)
                page.element("main") { page in
                    writeFigures(to: &page)
                    writeOutcomes(to: &page)
                    writeThroughput(to: &page)
                    writeLatency(to: &page)
                    writePhases(to: &page)
                    writeHosts(to: &page)
                    writeFailures(to: &page)
                    writeDamage(to: &page)
                }
                writeFooter(to: &page)
            }
        }
        return page.html
    }

    private func writeHead(_ title: String, to page: inout HTMLText) {
        page.element("head") { head in
            head.empty("meta", ["charset": "utf-8"])
            head.empty(
                "meta",
                ["name": "viewport", "content": "width=device-width, initial-scale=1"]
            )
            // Whatever a text might try: nothing is loaded, and nothing is run.
            head.empty(
                "meta",
                [
                    "http-equiv": "Content-Security-Policy",
                    "content": "default-src 'none'; style-src 'sha256-\(ReportStyle.digest)'",
                ]
            )
            head.empty("meta", ["name": "color-scheme", "content": "light dark"])
            head.element("title", text: "\(title) – batchfetch report")
            head.element("style") { $0.source(ReportStyle.sheet) }
        }
    }

    private func writeHeader(_ title: String, to page: inout HTMLText) {
        page.element("header") { header in
            header.element("p", ["class": "kind"], text: "Batch report")
            header.element("h1") { $0.element("bdi", text: title) }
            header.element("p", ["class": "when"], text: period)
        }
    }

    /// When it was.
    private var period: String {
        guard !series.isEmpty else { return "No fetch has a time." }
        let first = Timestamp.text(seconds: series.first / 1_000_000)
        let last = Timestamp.text(seconds: series.last / 1_000_000)
        let length = NumberFormat.duration(.seconds(series.seconds))
        func readable(_ text: String) -> String {
            text.replacing("T", with: " ").replacing("Z", with: "")
        }
        return "\(readable(first)) to \(readable(last)) UTC · \(length)"
    }

    private func writeFooter(to page: inout HTMLText) {
        page.element("footer") { footer in
            footer.element(
                "p",
                text: """
                    Percentiles are of the last attempts of fetched URLs, from their start to their \
                    last byte: over all within 3\u{A0}%, of single hosts within 12\u{A0}%. What is shown over \
                    time counts where a fetch ended; bytes count while they came. \
                    Waiting for a turn is in no latency.
                    """
            )
            footer.element("p", text: "Written by batchfetch.")
        }
    }
}
