/// What is wrong with a line of JSON, in words.
struct JSONProblem: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }

    init(_ error: DecodingError) {
        switch error {
        case .typeMismatch(let type, let context):
            guard let key = context.codingPath.first?.stringValue else {
                message = "it is no JSON object: write {\"url\": \"https://…\"}"
                return
            }
            message = "“\(key)” has a value of the wrong kind: use \(Self.name(of: type))"
        case .valueNotFound(let type, let context):
            let key = context.codingPath.first?.stringValue ?? "the value"
            message = "“\(key)” is null: use \(Self.name(of: type)), or leave it out"
        case .keyNotFound(let key, _):
            message = "it has no “\(key.stringValue)”"
        case .dataCorrupted(let context):
            let key = context.codingPath.first?.stringValue
            message = key.map { "“\($0)” has a value that can't be read" } ?? "it is no JSON object"
        @unknown default:
            message = "it is no JSON object"
        }
    }

    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is Int.Type: "a whole number"
        case is Double.Type: "a number"
        case is [String].Type, is [String: Any].Type: "texts"
        default: "what the manual says"
        }
    }
}
