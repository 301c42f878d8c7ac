internal import Curl

// Pausing and resuming transfers in libcurl.

extension LoopDriver {
    /// Whether libcurl reads once more after a call that resumes, although the callback has paused
    /// receiving again inside of the call, unless sending is paused as well.
    ///
    /// It keeps what it reads, so a body that is resumed often would fill the memory. Since 8.4
    /// (`select_bits_paused` in `transfer.c`).
    private static let readsUnlessBothArePaused = CurlVersion.current.isAtLeast(8, 4)

    /// Resumes receiving and sending in libcurl, unless they are still paused.
    func resume(_ transfer: Transfer) {
        transfer.lastActivity = now
        defer { considerDeadline(of: transfer) }
        guard let attempt = transfer.attempt, transfer.machine.isFlowing else { return }
        let required = transfer.paused.adding(receiving: attempt.memory.isWaiting)
        guard attempt.heldBack.resume(except: required) else { return }
        let code = attempt.easy.handle.pause(
            receiving: attempt.heldBack.receiving,
            sending: attempt.heldBack.sending
        )
        if Self.readsUnlessBothArePaused, attempt.heldBack.receiving, attempt.sending.isComplete {
            // Only until the next call: libcurl doesn't end a transfer whose sending is paused.
            attempt.easy.handle.pause(receiving: true, sending: true)
        }
        // libcurl delivers the bytes that it kept inside this call, and doesn't end a transfer that
        // fails at it.
        if let error = transfer.failure ?? transfer.error(releasing: attempt, code: code) {
            return stop(transfer, with: error)
        }
        // Some versions of libcurl don't set a timer after this.
        wakeShard(of: attempt)
    }

    /// Resumes an upload that waits for bytes, if the response is already an error.
    ///
    /// libcurl then sends nothing more, but it never ends a transfer whose sending is paused.
    func releaseUpload(of transfer: Transfer) {
        guard let attempt = transfer.attempt, attempt.heldBack.sending, attempt.response.isRefusal,
            transfer.machine.isFlowing
        else { return }
        attempt.heldBack.sending = false
        attempt.easy.handle.pause(receiving: attempt.heldBack.receiving, sending: false)
        wakeShard(of: attempt)
    }
}
