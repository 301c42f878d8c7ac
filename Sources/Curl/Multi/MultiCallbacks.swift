/// What libcurl asks and tells of a multi handle as a whole.
///
/// Everything is called on the thread that drives the handle, from inside libcurl: an
/// implementation records and returns. It may not call into the multi handle.
package protocol MultiCallbacks: AnyObject {
    /// Watch `descriptor` for `interest`; nil: no longer.
    func watch(_ descriptor: Int32, for interest: SocketInterest?)

    /// Call ``MultiHandle/timeout()`` after so many milliseconds, once; nil: not at all.
    func setTimer(milliseconds: Int?)

    /// Close `descriptor`, which a callback of an easy handle had reported as opened.
    func closeSocket(_ descriptor: Int32)
}
