/// Decides whether what has failed is tried again.
public protocol RequestRetrier: Sendable {
    /// Says what becomes of a task whose attempt has failed.
    ///
    /// Asked about errors of the transport, of adapters and of the response serializer, that is, also about
    /// a status that isn't acceptable; and about requests that couldn't be made, of which there is no task.
    /// Not asked about tasks that were cancelled, nor where the body is a stream that can't be read a second
    /// time. Runs on no queue; if the task is cancelled meanwhile, so is the Swift task that this runs in.
    ///
    /// - Parameters:
    ///   - attempt: The attempt that has failed.
    ///   - error: What it has failed with.
    func retry(_ attempt: RequestAttempt, dueTo error: any Error) async -> RetryResult
}
