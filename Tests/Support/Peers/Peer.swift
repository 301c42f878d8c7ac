/// A real server on loopback.
///
/// It is ended by `stop()`, by the release of the last reference, and by the end of this process.
package protocol Peer: AnyObject, Sendable {
    /// Whether its program is installed: for `.enabled(if:)`.
    static var isAvailable: Bool { get }
    /// The program's standard output and error so far.
    var output: String { get }
    var processID: Int32 { get }
    func stop()
}
