/// What the contributing guide shows: patterns that Swift 6.3 compiles wrongly, and what to write.
enum Contributing {
    typealias Field = String

    /// The fields of a request.
    struct Fields {
        private(set) var list: [Field] = []

        mutating func set(_ field: Field) { list.append(field) }
    }

    // snippet: CONTRIBUTING/optional
    struct Request {
        var fields: Fields?

        // Wrong: `for field in list { request.put(field) }` loses the fields in a release build.
        mutating func put(_ field: Field) {
            var fields = fields.take() ?? Fields()
            fields.set(field)
            self.fields = fields
        }

        // Right: the value changes where it is.
        mutating func set(_ field: Field) {
            if fields == nil { fields = Fields() }
            fields?.set(field)
        }
    }
    // end

    /// A response, which must be released.
    final class Response {}

    /// A load of a task.
    struct Load {
        var response: Response?

        mutating func receive(_ response: Response) { self.response = response }
    }

    // snippet: CONTRIBUTING/property
    struct TaskState: ~Copyable {
        var load: Load?

        // Wrong: the response that was there before is never released, in any build.
        mutating func assign(_ response: Response) { load?.response = response }

        // Right: a mutating method of the property's type assigns.
        mutating func receive(_ response: Response) { load?.receive(response) }
    }
    // end
}
