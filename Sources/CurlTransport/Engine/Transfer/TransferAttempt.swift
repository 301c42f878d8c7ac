internal import Curl
internal import Posix

/// One attempt to send a request: an easy handle in the multi handle, and its state.
///
/// A redirect, or a retry after a trust decision, is another attempt of the same transfer.
final class TransferAttempt {
    let easy: PooledEasyHandle
    let endpoint: Endpoint
    let started: MonotonicTime
    var connection: AttemptConnection
    var sending = RequestProgress()
    var response = AttemptResponse()
    var decoding = BodyDecoding()
    var stream = TracedStream()
    /// Which directions libcurl was paused in, before reading more or requesting more to send.
    var heldBack = PausedDirections()
    /// How much of the body was delivered in this turn of the loop.
    var turnBytes = 0

    init(
        easy: PooledEasyHandle,
        endpoint: Endpoint,
        started: MonotonicTime,
        performsLookup: Bool
    ) {
        self.easy = easy
        self.endpoint = endpoint
        self.started = started
        connection = AttemptConnection(performsLookup: performsLookup)
    }
}

/// The progress of sending the request of one attempt.
struct RequestProgress {
    var isComplete = false
    /// Whether the delegate was notified that the request was sent.
    var isReported = false
    /// Whether libcurl reported that the server didn't process the request.
    ///
    /// Such a request is sent again.
    var isUnprocessed = false
    /// Whether the last logged piece of the request head ended within a line.
    private var isLoggedLineOpen = false
    private var upload = UploadProgress()

    /// Returns whether `upload` differs from the progress at the last check of a timeout.
    mutating func advances(to upload: UploadProgress) -> Bool {
        defer { self.upload = upload }
        return upload != self.upload
    }

    /// Records a piece of the request head for the log. Returns whether it begins within a line.
    mutating func continuesLine(_ piece: Span<UInt8>) -> Bool {
        defer { isLoggedLineOpen = piece[piece.count - 1] != UInt8(ascii: "\n") }
        return isLoggedLineOpen
    }
}

/// The progress of a request's body. Equal values mean that no byte was sent in between.
struct UploadProgress: Equatable {
    /// The bytes that libcurl has passed to the kernel.
    var handedToKernel: Int64 = 0
    /// The bytes in the kernel's buffer that the peer has not acknowledged.
    var unsent = 0
}

/// The directions of a transfer that are paused.
struct PausedDirections {
    var receiving = false
    var sending = false

    /// Resumes the directions that `required` doesn't pause. Returns whether there were any.
    mutating func resume(except required: PausedDirections) -> Bool {
        let resumesReceiving = receiving && !required.receiving
        let resumesSending = sending && !required.sending
        if resumesReceiving { receiving = false }
        if resumesSending { sending = false }
        return resumesReceiving || resumesSending
    }
}
