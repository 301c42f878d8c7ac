import BatchFetch

extension RunReport {
    /// The report as a single HTML document.
    ///
    /// It loads no resources and runs no scripts, works with screen readers, and has a light and a
    /// dark mode. Texts of URLs and servers are escaped; user names and passwords are removed from
    /// URLs.
    ///
    /// - Parameter title: The title of the page, for example the name of the results file.
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
            // The policy blocks all resources and scripts, even if a text contained markup.
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

    /// The start, end and length of the run.
    private var period: String {
        guard !series.isEmpty else { return "The results have no times." }
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
                    Percentiles cover the last attempts of fetched URLs, from start to last byte. They are \
                    accurate to 3\u{A0}% over all hosts, to 12\u{A0}% for one host. Charts over time count a \
                    fetch when it ends, and bytes when they arrive. Latencies exclude time in the queue.
                    """
            )
            footer.element("p", text: "Written by batchfetch.")
        }
    }
}
