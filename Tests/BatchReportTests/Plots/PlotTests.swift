import Foundation
import Testing

@testable import BatchFetch
@testable import BatchReport

/// What a plot draws, as SVG.
@Suite struct PlotTests {
    /// A plot of 0 to 10 in both directions.
    private let plot = Plot(
        id: "p",
        title: "A <title>",
        summary: "Up to 5 & more.",
        xName: "x",
        yName: "y",
        x: .linear(upTo: 10) { NumberFormat.decimal($0, digits: 0) },
        y: .linear(upTo: 10) { NumberFormat.decimal($0, digits: 0) }
    )

    private func html(_ draw: (inout HTMLText) -> Void) -> String {
        var page = HTMLText()
        draw(&page)
        return page.html
    }

    @Test(
        "A coordinate has one decimal at most",
        arguments: [
            (0, "0"), (1, "1"), (1.04, "1"), (1.05, "1.1"), (1.25, "1.3"), (-0.04, "0"),
            (-0.05, "-0.1"), (-12.34, "-12.3"), (999_999_999, "999999999"), (1e9, "0"),
            (.infinity, "0"), (.nan, "0"),
        ] as [(Double, String)]
    )
    func coordinateHasOneDecimal(value: Double, expected: String) {
        #expect(Plot.number(value) == expected)
    }

    @Test("Values are drawn within the axes, larger ones at the top")
    func valuesAreDrawnWithinTheAxes() {
        #expect(plot.horizontal(0) == Plot.left && plot.horizontal(10) == Plot.width - Plot.right)
        #expect(plot.vertical(0) == Plot.height - Plot.bottom && plot.vertical(10) == Plot.top)
        #expect(plot.vertical(11) == Plot.top && plot.horizontal(-1) == Plot.left)
    }

    @Test("A curve is interrupted where a value is missing, and a lone value is a dot")
    func curveIsInterrupted() {
        let curve = Plot.Curve(name: "c", style: "p50", values: [0, 10, nil, 5, nil, nil, 0, 10])
        let svg = html { plot.draw([curve], at: [0, 1, 2, 3, 4, 5, 6, 10], to: &$0) }
        let path = "M78 216L158.8 14M320.4 115M562.8 216L886 14"
        #expect(svg.contains("<path class=\"curve p50\" d=\"\(path)\"></path>"), "\(svg)")
        #expect(svg.components(separatedBy: "<circle").count == 2)
        #expect(svg.contains("<circle class=\"dot p50\" cx=\"320.4\" cy=\"115\" r=\"2.5\">"))
    }

    @Test("A curve without values is an empty path, and a lone last value is a dot")
    func curveMayBeEmpty() {
        let empty = Plot.Curve(name: "c", style: "p90", values: [nil, nil])
        let svg = html { plot.draw([empty], at: [0, 1], to: &$0) }
        #expect(svg == "<path class=\"curve p90\" d=\"\"></path>")
        let last = Plot.Curve(name: "c", style: "p90", values: [nil, 5])
        #expect(html { plot.draw([last], at: [0, 1], to: &$0) }.contains("<circle"))
    }

    @Test("Columns are stacked, and zero draws nothing")
    func columnsAreStacked() {
        let columns = [
            Plot.Curve(name: "a", style: "fetched", values: [5, 0, nil]),
            Plot.Curve(name: "b", style: "failed-1", values: [5, 10, 0]),
        ]
        let svg = html { plot.draw(columns, from: [0, 5, 9], to: [5, 10, 10], to: &$0) }
        #expect(svg.components(separatedBy: "<rect").count == 4)
        let first = "x=\"78\" y=\"115\" width=\"403\" height=\"101\""
        let second = "x=\"78\" y=\"14\" width=\"403\" height=\"101\""
        #expect(svg.contains("<rect class=\"fetched\" \(first)>"), "\(svg)")
        #expect(svg.contains("<rect class=\"failed-1\" \(second)>"), "\(svg)")
        #expect(svg.contains("<rect class=\"failed-1\" x=\"482\" y=\"14\" width=\"403\""))
    }

    @Test("The narrowest column stays visible")
    func narrowColumnStaysVisible() {
        let column = [Plot.Curve(name: "a", style: "fetched", values: [10])]
        let svg = html { plot.draw(column, from: [5], to: [5], to: &$0) }
        #expect(svg.contains("width=\"1\""), "\(svg)")
    }

    @Test("A tooltip covers the height of the plot, and its text is escaped")
    func tooltipCoversThePlot() {
        let svg = html { plot.drawTips(["1 < 2"], from: [0], to: [10], to: &$0) }
        #expect(
            svg == "<rect class=\"tip\" x=\"78\" y=\"14\" width=\"808\" height=\"202\">"
                + "<title>1 &lt; 2</title>\n</rect>"
        )
        // A rectangle is never negative.
        let empty = html { Plot.rectangle(from: (5, 5), to: (1, 1), "tip", to: &$0) }
        #expect(empty.contains("width=\"0\" height=\"0\""))
    }

    @Test("A plot has a title for screen readers, and labels on its axes")
    func plotIsLabelled() {
        let svg = html { page in plot.write(to: &page) { $0.text("CONTENT") } }
        for text in [
            "<svg viewBox=\"0 0 900 260\" role=\"img\" aria-labelledby=\"p-title p-text\">",
            "<title id=\"p-title\">A &lt;title&gt;</title>",
            "<desc id=\"p-text\">Up to 5 &amp; more.</desc>",
            ">x</text>", ">y</text>", ">10</text>", "rotate(-90)",
        ] {
            #expect(svg.contains(text), "no \(text)")
        }
        // The grid is behind the content, the axes in front of it.
        let parts = svg.components(separatedBy: "CONTENT")
        #expect(parts.count == 2 && parts[0].contains("grid") && !parts[1].contains("grid"))
        #expect(parts[1].contains("axis") && !parts[0].contains("axis"))
        #expect(svg.components(separatedBy: "class=\"grid\"").count == plot.y.ticks.count + 1)
    }

    @Test("A legend has a swatch and a name for each entry")
    func legendHasAnEntryEach() {
        let list = html { Plot.writeLegend([("a & b", "p50"), ("c", "p90")], to: &$0) }
        #expect(list.contains("<span class=\"swatch p50\"></span>a &amp; b</li>"))
        #expect(list.contains("<span class=\"swatch p90\"></span>c</li>"))
        #expect(html { Plot.writeLegend([], to: &$0) } == "<ul class=\"legend\"></ul>\n")
    }
}
