internal import Foundation

/// An unescaped name and value of a query or a part.
struct QueryStringPair {
    enum Value: Equatable {
        case none
        case text(String)
        case data(Data)
    }

    /// How arrays and Booleans are written.
    struct Style {
        var arrayEncoding = ArrayEncoding.brackets
        var boolEncoding = BoolEncoding.numeric
    }

    /// `nil` if the parameters are a single value.
    let name: String?
    let value: Value

    /// The escaped text in a query.
    var escaped: String {
        let name = QueryString.escaped(name ?? "")
        return switch value {
        case .none: name
        case .text(let text): name + "=" + QueryString.escaped(text)
        case .data(let data): name + "=" + QueryString.escaped(data.base64EncodedString())
        }
    }

    /// All names and values of the parameters, in order.
    static func pairs(of parameters: Any, _ style: Style) throws -> [QueryStringPair] {
        switch ParameterValue(parameters) {
        case .none:
            return []
        case .array, .set:
            throw URLRequestSerializationError.invalidParameters(
                "The `parameters` argument is a collection whose elements have no names; use a "
                    + "dictionary."
            )
        case .text, .bool, .data, .dictionary:
            var pairs: [QueryStringPair] = []
            append(parameters, nil, style, to: &pairs)
            return pairs
        }
    }

    private static func append(
        _ value: Any,
        _ name: String?,
        _ style: Style,
        to pairs: inout [QueryStringPair]
    ) {
        switch ParameterValue(value) {
        case .none:
            pairs.append(QueryStringPair(name: name, value: .none))
        case .text(let text):
            pairs.append(QueryStringPair(name: name, value: .text(text)))
        case .bool(let bool):
            pairs.append(QueryStringPair(name: name, value: .text(style.boolEncoding.text(bool))))
        case .data(let data):
            pairs.append(QueryStringPair(name: name, value: .data(data)))
        case .dictionary(let dictionary):
            let entries = dictionary.map { (ParameterValue.description(of: $0.key.base), $0.value) }
            for (key, inner) in entries.sorted(by: { $0.0 < $1.0 }) {
                append(inner, name.map { "\($0)[\(key)]" } ?? key, style, to: &pairs)
            }
        case .array(let array):
            for (index, element) in array.enumerated() {
                let key = style.arrayEncoding.key(name ?? "", at: index)
                append(element, key, style, to: &pairs)
            }
        case .set(let set):
            let members = set.map { (ParameterValue.description(of: $0.base), $0.base) }
            for (_, member) in members.sorted(by: { $0.0 < $1.0 }) {
                append(member, name, style, to: &pairs)
            }
        }
    }
}
