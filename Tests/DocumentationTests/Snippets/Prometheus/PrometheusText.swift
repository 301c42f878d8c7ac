// snippet: ExportingMetrics/text
/// The grammar of Prometheus' text format, version 0.0.4.
enum PrometheusText {
    /// The name of a metric: `http.client.request.duration` is `http_client_request_duration`.
    static func name(_ label: String, unit: String? = nil) -> String {
        let name = identifier(label, allowsColons: true)
        guard let unit, !name.hasSuffix("_\(unit)") else { return name }
        return "\(name)_\(unit)"
    }

    /// Labels in the order of their names, without braces.
    static func labels(_ dimensions: [(String, String)]) -> String {
        var values: [String: String] = [:]
        for (name, value) in dimensions {
            var name = identifier(name, allowsColons: false)
            // `le` is the label of a histogram's bounds, and two underscores are reserved.
            if name == "le" || name.hasPrefix("__") { name = "exported_\(name)" }
            if values[name] == nil { values[name] = value }
        }
        return values.sorted { $0.key < $1.key }
            .map { "\($0.key)=\"\(escaped($0.value))\"" }
            .joined(separator: ",")
    }

    static func braced(_ labels: String) -> String {
        labels.isEmpty ? "" : "{\(labels)}"
    }

    static func number(_ value: Double) -> String {
        guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }

    private static func escaped(_ value: String) -> String {
        var text = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    private static func identifier(_ text: String, allowsColons: Bool) -> String {
        var name = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "a"..."z", "A"..."Z", "_": name.unicodeScalars.append(scalar)
            case ":" where allowsColons: name.unicodeScalars.append(scalar)
            case "0"..."9":
                if name.isEmpty { name = "_" }
                name.unicodeScalars.append(scalar)
            default: name += "_"
            }
        }
        return name.isEmpty ? "_" : name
    }
}
// end
