/// What a stream task has beside what every task has.
struct TaskStream: Sendable {
    let connection = StreamConnection()
    /// Handlers are called there, when the task is over as well.
    let events: DelegateEvents
    /// As it stands in an authority (RFC 3986, 3.2): an IPv6 address in brackets.
    let host: String
    let port: Int
    /// It is given away, or will be.
    var isCaptured = false
    /// TLS from the beginning.
    var isSecure = false
}
