internal import Foundation

/// What a task's owner may set or ask for, and most don't.
struct TaskDetails: Sendable {
    var taskDescription: String?
    var priority = URLSessionTask.defaultPriority
    var earliestBeginDate: Date?
    /// Made when it is asked for.
    var progress: Progress?
}
