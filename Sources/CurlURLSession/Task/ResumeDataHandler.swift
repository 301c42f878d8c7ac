internal import Foundation

/// Who is told what a download or an upload goes on with.
///
/// `@unchecked Sendable`: Foundation's method takes a closure that isn't said to be `Sendable`. It is
/// called once, on the delegate queue, and nothing else is done with it; who calls the method on
/// another thread is told so by its documentation.
struct ResumeDataHandler: @unchecked Sendable {
    let handler: (Data?) -> Void
}
