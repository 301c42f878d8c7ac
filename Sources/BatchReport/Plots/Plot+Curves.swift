extension Plot {
    /// Draws curves with common horizontal positions.
    func draw(_ curves: [Curve], at places: [Double], to svg: inout HTMLText) {
        for curve in curves {
            var path = ""
            var isDrawing = false
            var single: [(Double, Double)] = []
            for (index, (place, value)) in zip(places, curve.values).enumerated() {
                guard let value else {
                    isDrawing = false
                    continue
                }
                let point = "\(Self.number(horizontal(place))) \(Self.number(vertical(value)))"
                path += (isDrawing ? "L" : "M") + point
                let isAlone =
                    !isDrawing && (index + 1 >= places.count || curve.values[index + 1] == nil)
                if isAlone { single.append((horizontal(place), vertical(value))) }
                isDrawing = true
            }
            svg.element("path", ["class": "curve \(curve.style)", "d": path]) { _ in }
            // A path with a single point is invisible.
            for point in single {
                svg.element(
                    "circle",
                    [
                        "class": "dot \(curve.style)", "cx": Self.number(point.0),
                        "cy": Self.number(point.1), "r": "2.5",
                    ]
                ) { _ in }
            }
        }
    }

    /// Draws stacked columns.
    func draw(
        _ columns: [Curve],
        from starts: [Double],
        to ends: [Double],
        to svg: inout HTMLText
    ) {
        for index in starts.indices {
            var sum = 0.0
            let left = horizontal(starts[index])
            let right = max(left + 1, horizontal(ends[index]) - 1)
            for column in columns {
                guard let value = column.values[index], value > 0 else { continue }
                Self.rectangle(
                    from: (left, vertical(sum + value)),
                    to: (right, vertical(sum)),
                    column.style,
                    to: &svg
                )
                sum += value
            }
        }
    }

    /// Adds tooltips for areas of the plot.
    func drawTips(
        _ tips: [String],
        from starts: [Double],
        to ends: [Double],
        to svg: inout HTMLText
    ) {
        for (index, tip) in tips.enumerated() {
            Self.rectangle(
                from: (horizontal(starts[index]), Self.top),
                to: (horizontal(ends[index]), Self.height - Self.bottom),
                "tip",
                tip: tip,
                to: &svg
            )
        }
    }

    /// Writes the legend of the colours.
    static func writeLegend(
        _ entries: [(name: String, style: StaticString)],
        to page: inout HTMLText
    ) {
        page.element("ul", ["class": "legend"]) { list in
            for entry in entries {
                list.element("li") { item in
                    item.element("span", ["class": "swatch \(entry.style)"]) { _ in }
                    item.text(entry.name)
                }
            }
        }
    }
}
