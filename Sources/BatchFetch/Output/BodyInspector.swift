/// Looks at one body as it arrives. Called on an event loop: it must be quick and must not block.
package protocol BodyInspector: AnyObject, Sendable {
    /// The next bytes.
    func inspect(_ bytes: Span<UInt8>)

    /// The body is complete; what is wrong with it, if anything is.
    func finish() -> String?
}
