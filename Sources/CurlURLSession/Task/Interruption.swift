internal import Foundation

/// What is left of a download or an upload that ends before its time, for another one to go on with.
struct Interruption: Sendable {
    /// What the task ends with once that is ready; `nil` as long as nothing ends it.
    var error: (any Error)?
    /// It has yet to be made ready.
    var isDue = false
    /// Who is told of the resume data, when the task has ended.
    var handlers: [ResumeDataHandler] = []
    /// With what another task goes on; `nil` where none can.
    var resumeData: Data?

    mutating func takeHandlers() -> ([ResumeDataHandler], Data?) {
        defer { handlers = [] }
        return (handlers, resumeData)
    }
}
