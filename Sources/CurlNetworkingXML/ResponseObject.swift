/// Passes XML objects on as the objects of responses.
///
/// `XMLParser` and `XMLDocument` aren't `Sendable`, because only one thread at a time may use such an
/// object. A serializer creates it for one response, keeps no reference to it, and passes it to the
/// manager. The program must not use it in a handler and an observer at once.
enum ResponseObject {
    /// Returns the object itself.
    ///
    /// `[Any]` and `[any Sendable]` are one type at run time, so the cast succeeds.
    ///
    /// - Parameter object: An object without other references.
    static func passing(_ object: sending some AnyObject) -> (any Sendable)? {
        let objects: Any = [object as Any]
        return (objects as? [any Sendable])?.first
    }
}
