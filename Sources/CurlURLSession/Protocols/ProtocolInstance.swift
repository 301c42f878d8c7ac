/// A protocol that was made for a load.
///
/// `@unchecked Sendable`: nothing here changes, and the protocol is called on its load's serial queue
/// alone. What it does on other threads is its own affair.
struct ProtocolInstance: @unchecked Sendable {
    let object: URLProtocol
}
