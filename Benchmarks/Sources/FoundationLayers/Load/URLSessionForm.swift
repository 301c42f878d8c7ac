/// How tasks are made and their results received, by its name on the command line.
enum URLSessionForm: Int, CaseIterable {
    /// `data(for:)` and its siblings.
    case async
    /// `dataTask(with:completionHandler:)`, of requests whose body is collected.
    case handler
}
