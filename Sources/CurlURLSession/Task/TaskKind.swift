/// What a task does with its response's content.
enum TaskKind: Sendable {
    case data
    case upload
    case download
    case stream
    case webSocket
}
