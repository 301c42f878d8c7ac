internal import CurlTransport
internal import Foundation

// What a stream changes in its task.

extension TaskState {
    mutating func noteReadClosing(by loader: any Loader) {
        if isCurrent(loader) { delivery.noteReadClosing() }
    }

    mutating func noteWriteClosing(by loader: any Loader) {
        if isCurrent(loader) { delivery.noteWriteClosing() }
    }

    /// The connection can be given away. False if nobody is there to take it.
    mutating func noteCapture(by loader: any Loader) -> Bool {
        guard isCurrent(loader) else { return true }
        if recipients.task != nil { delivery.noteCapture() }
        return recipients.task != nil
    }

    /// The connection was given away, and the task is over with that.
    mutating func noteRelease() {
        load?.outcome = LoadOutcome()
        (hasEnded, hasAbandoned) = (true, true)
        delivery.noteRelease()
    }

    /// An error of the stream's as the user is told it: the task's own, where it has one and the
    /// error is no call's alone.
    func userError(of error: TransportError) -> any Error {
        let isCallsOwn = error.isTimeout && reason == nil
        return (isCallsOwn ? nil : self.error ?? reason) ?? urlError(error)
    }
}
