internal import Foundation

/// One thing to be told on the delegate queue, and whom.
struct TaskStep: Sendable {
    let step: TaskDelivery.Step
    /// Which question it is, if it is one.
    let number: Int
    let session: URLSession
    let task: URLSessionTask
    let recipients: TaskRecipients
}
