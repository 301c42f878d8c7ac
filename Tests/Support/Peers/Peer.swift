/// A real server on loopback. It is ended when `stop()` is called, when the last reference is
/// gone, and when this process dies.
package protocol Peer: AnyObject, Sendable {
    /// Whether what it needs is installed: for `.enabled(if:)`.
    static var isAvailable: Bool { get }
    /// What the program has written to its output and error output.
    var output: String { get }
    var processID: Int32 { get }
    func stop()
}
