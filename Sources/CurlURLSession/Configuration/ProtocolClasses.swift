/// Classes, to be asked one after the other whether they load a request.
///
/// `@unchecked Sendable`: a class object is made once, at the start of the process, and never
/// changes; nothing but the array of them is stored, and it is constant.
struct ProtocolClasses: @unchecked Sendable {
    let classes: [AnyClass]
}
