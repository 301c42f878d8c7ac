/// A plot as SVG: axes with units, a grid, and the drawn content.
struct Plot: Sendable {
    /// A line or area, interrupted where a value is missing.
    struct Curve: Sendable {
        /// The name in the legend.
        let name: String
        /// The class that determines the colour in the style sheet.
        let style: StaticString
        let values: [Double?]
    }

    static let width = 900.0
    static let height = 260.0
    static let left = 78.0
    static let right = 14.0
    static let top = 14.0
    static let bottom = 44.0

    let id: String
    let title: String
    /// A sentence that describes the plot with its figures.
    let summary: String
    let xName: String
    let yName: String
    let x: PlotScale
    let y: PlotScale

    func horizontal(_ value: Double) -> Double {
        Self.left + x.position(of: value) * (Self.width - Self.left - Self.right)
    }

    func vertical(_ value: Double) -> Double {
        Self.height - Self.bottom - y.position(of: value)
            * (Self.height - Self.top - Self.bottom)
    }

    /// Writes the plot with what `content` draws.
    func write(to page: inout HTMLText, _ content: (inout HTMLText) -> Void) {
        page.element(
            "svg",
            [
                "viewBox": "0 0 \(Self.number(Self.width)) \(Self.number(Self.height))",
                "role": "img", "aria-labelledby": "\(id)-title \(id)-text",
            ]
        ) { svg in
            svg.element("title", ["id": "\(id)-title"], text: title)
            svg.element("desc", ["id": "\(id)-text"], text: summary)
            writeGrid(to: &svg)
            content(&svg)
            writeAxes(to: &svg)
        }
    }

    private func writeGrid(to svg: inout HTMLText) {
        for tick in y.ticks {
            Self.line(
                from: (Self.left, vertical(tick.value)),
                to: (Self.width - Self.right, vertical(tick.value)),
                "grid",
                to: &svg
            )
        }
    }

    private func writeAxes(to svg: inout HTMLText) {
        let base = Self.height - Self.bottom
        Self.line(from: (Self.left, base), to: (Self.width - Self.right, base), "axis", to: &svg)
        for tick in y.ticks {
            Self.text(
                tick.label,
                at: (Self.left - 8, vertical(tick.value) + 4),
                "label end",
                to: &svg
            )
        }
        for tick in x.ticks {
            let place = horizontal(tick.value)
            Self.line(from: (place, base), to: (place, base + 5), "axis", to: &svg)
            Self.text(tick.label, at: (place, base + 19), "label middle", to: &svg)
        }
        Self.text(
            xName,
            at: ((Self.left + Self.width - Self.right) / 2, Self.height - 5),
            "name middle",
            to: &svg
        )
        svg.element(
            "text",
            [
                "class": "name middle",
                "transform":
                    "translate(12 \(Self.number((Self.top + base) / 2))) rotate(-90)",
            ],
            text: yName
        )
    }

    // MARK: Drawing

    static func line(
        from start: (x: Double, y: Double),
        to end: (x: Double, y: Double),
        _ style: StaticString,
        to svg: inout HTMLText
    ) {
        svg.element(
            "line",
            [
                "class": "\(style)", "x1": number(start.x), "y1": number(start.y),
                "x2": number(end.x), "y2": number(end.y),
            ]
        ) { _ in }
    }

    static func text(
        _ text: String,
        at place: (x: Double, y: Double),
        _ style: StaticString,
        to svg: inout HTMLText
    ) {
        svg.element(
            "text",
            ["class": "\(style)", "x": number(place.x), "y": number(place.y)],
            text: text
        )
    }

    /// Draws a rectangle, with a tooltip if `tip` isn't `nil`.
    static func rectangle(
        from start: (x: Double, y: Double),
        to end: (x: Double, y: Double),
        _ style: StaticString,
        tip: String? = nil,
        to svg: inout HTMLText
    ) {
        svg.element(
            "rect",
            [
                "class": "\(style)", "x": number(start.x), "y": number(start.y),
                "width": number(max(0, end.x - start.x)),
                "height": number(max(0, end.y - start.y)),
            ]
        ) { rectangle in
            if let tip { rectangle.element("title", text: tip) }
        }
    }

    /// Formats a coordinate with at most one decimal.
    static func number(_ value: Double) -> String {
        guard value.isFinite, value.magnitude < 1e9 else { return "0" }
        let tenths = Int((value * 10).rounded())
        let sign = tenths < 0 ? "-" : ""
        let rest = tenths.magnitude % 10
        return "\(sign)\(tenths.magnitude / 10)" + (rest == 0 ? "" : ".\(rest)")
    }
}
