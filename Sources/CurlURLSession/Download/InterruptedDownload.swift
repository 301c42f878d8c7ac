internal import Foundation

/// What is left of a download that ends before its time, for another one to go on with.
struct InterruptedDownload: Sendable {
    /// What the task ends with once the file is ready; `nil` as long as nothing ends it.
    var error: (any Error)?
    /// The file has yet to be made ready.
    var isDue = false
    /// Who is told of the resume data, when the task has ended.
    var handlers: [ResumeDataHandler] = []
    /// With what another download goes on; `nil` where none can.
    var resumeData: Data?

    mutating func takeHandlers() -> ([ResumeDataHandler], Data?) {
        defer { handlers = [] }
        return (handlers, resumeData)
    }
}
