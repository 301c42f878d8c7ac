/// One event of a stream.
struct ServerSentEvent: Equatable, Sendable {
    var type = "message"
    var data = ""
    var id = ""
}
