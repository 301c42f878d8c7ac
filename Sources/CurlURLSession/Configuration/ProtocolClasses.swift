// `@unchecked Sendable`: a class object is created once, at the start of the process, and never
// changes. The only stored property is a constant array of them.
/// Subclasses of `URLProtocol`, in the order in which they may claim a request.
struct ProtocolClasses: @unchecked Sendable {
    let classes: [AnyClass]
}
