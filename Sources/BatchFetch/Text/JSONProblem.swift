/// A readable description of an error in a line of JSON.
package struct JSONProblem: Error {
    package let message: String

    package init(_ message: String) {
        self.message = message
    }

    package init(_ error: DecodingError) {
        switch error {
        case .typeMismatch(let type, let context):
            guard let key = context.codingPath.first?.stringValue else {
                message = "it is not a JSON object: write {\"url\": \"https://…\"}"
                return
            }
            message = "“\(key)” has a value of the wrong kind: use \(Self.name(of: type))"
        case .valueNotFound(let type, let context):
            let key = context.codingPath.first?.stringValue ?? "the value"
            message = "“\(key)” is null: use \(Self.name(of: type)), or remove it"
        case .keyNotFound(let key, _):
            message = "“\(key.stringValue)” is missing"
        case .dataCorrupted(let context):
            let key = context.codingPath.first?.stringValue
            // The decoder reports malformed JSON and a number that doesn't fit in the same way.
            message =
                key.map { "“\($0)” has an invalid value" }
                ?? "it is not a JSON object, or one of its numbers doesn't fit"
        @unknown default:
            message = "it is not a JSON object"
        }
    }

    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Int.Type: "a whole number"
        case is Bool.Type: "true or false"
        case is Double.Type: "a number"
        case is [String].Type, is [Any].Type: "a list of texts"
        case is [String: Any].Type: "an object of texts"
        default: "the type that the documentation names"
        }
    }
}
