internal import CCurl
package import Posix

/// Owns a `CURLM*`: the connections and transfers of one loop.
///
/// Created, used and freed on one thread. See <https://curl.se/libcurl/c/libcurl-multi.html>.
@safe
package struct MultiHandle: ~Copyable {
    let pointer: OpaquePointer
    private let context: MultiContext
    let group: MultiGroup

    /// Creates a handle that is the only one of its group.
    package init(callbacks: any MultiCallbacks) throws(CurlCode) {
        try self.init(in: MultiGroup(callbacks: callbacks), number: 0)
    }

    /// Creates a handle. `number` identifies it in the callbacks of `group`.
    package init(in group: MultiGroup, number: Int) throws(CurlCode) {
        guard CurlGlobal.initialisation == .ok, let pointer = unsafe WakeupSockets.makeMulti()
        else {
            throw CurlCode.failedInit
        }
        unsafe self.pointer = pointer
        self.group = group
        context = MultiContext(callbacks: group.callbacks, number: number)
        let opaque = unsafe Unmanaged.passUnretained(context).toOpaque()
        unsafe ccurl_multi_setopt_socket_function(pointer, socketCallback)
        unsafe ccurl_multi_setopt_pointer(pointer, CURLMOPT_SOCKETDATA, opaque)
        unsafe ccurl_multi_setopt_timer_function(pointer, timerCallback)
        unsafe ccurl_multi_setopt_pointer(pointer, CURLMOPT_TIMERDATA, opaque)
    }

    /// Closes the connections. The contexts must outlive that, because closing calls back.
    deinit {
        unsafe ccurl_multi_cleanup(pointer)
        extendLifetime(context)
        extendLifetime(group)
    }

    @discardableResult
    package borrowing func set(_ option: MultiOption, _ value: Int) -> MultiCode {
        unsafe MultiCode(
            rawValue: ccurl_multi_setopt_long(pointer, option.option, value).rawValue
        )
    }

    /// <https://curl.se/libcurl/c/curl_multi_add_handle.html>
    package borrowing func add(_ easy: borrowing EasyHandle) -> MultiCode {
        unsafe MultiCode(rawValue: ccurl_multi_add_handle(pointer, easy.pointer).rawValue)
    }

    /// <https://curl.se/libcurl/c/curl_multi_remove_handle.html>
    @discardableResult
    package borrowing func remove(_ easy: borrowing EasyHandle) -> MultiCode {
        unsafe MultiCode(rawValue: ccurl_multi_remove_handle(pointer, easy.pointer).rawValue)
    }

    /// Processes the readiness of `descriptor`.
    ///
    /// See <https://curl.se/libcurl/c/curl_multi_socket_action.html>.
    package borrowing func work(on descriptor: Int32, ready: SocketInterest) -> MultiCode {
        var bits: Int32 = 0
        if ready.contains(.read) { bits |= CURL_CSELECT_IN }
        if ready.contains(.write) { bits |= CURL_CSELECT_OUT }
        if ready.contains(.error) { bits |= CURL_CSELECT_ERR }
        var running: Int32 = 0
        return unsafe MultiCode(
            rawValue: ccurl_multi_socket_action(pointer, descriptor, bits, &running).rawValue
        )
    }

    /// Processes expired timers.
    package borrowing func timeout() -> MultiCode {
        var running: Int32 = 0
        return unsafe MultiCode(
            rawValue: ccurl_multi_socket_action(pointer, CURL_SOCKET_TIMEOUT, 0, &running).rawValue
        )
    }

    /// The token and result of a completed transfer; nil if there is none.
    ///
    /// Its handle stays in the multi handle until it is removed. See
    /// <https://curl.se/libcurl/c/curl_multi_info_read.html>.
    package borrowing func nextResult() -> (token: UInt64, code: CurlCode)? {
        var result = CURLE_OK
        guard let easy = unsafe ccurl_multi_next_result(pointer, &result) else { return nil }
        var token: UnsafeMutableRawPointer?
        unsafe ccurl_easy_getinfo_pointer(easy, CURLINFO_PRIVATE, &token)
        return (UInt64(UInt(bitPattern: token)), CurlCode(rawValue: Int32(result.rawValue)))
    }
}

private let socketCallback: ccurl_socket_callback = { _, descriptor, what, context, _ in
    guard let context = unsafe context else { return 0 }
    let multi = unsafe Unmanaged<MultiContext>.fromOpaque(context).takeUnretainedValue()
    let interest: SocketInterest? =
        switch what {
        case CURL_POLL_IN: .read
        case CURL_POLL_OUT: .write
        case CURL_POLL_INOUT: [.read, .write]
        default: nil
        }
    multi.callbacks.watch(descriptor, for: interest, by: multi.number)
    return 0
}

private let timerCallback: ccurl_timer_callback = { _, milliseconds, context in
    guard let context = unsafe context else { return 0 }
    let multi = unsafe Unmanaged<MultiContext>.fromOpaque(context).takeUnretainedValue()
    multi.callbacks.setTimer(
        milliseconds: milliseconds < 0 ? nil : Int(milliseconds),
        of: multi.number
    )
    return 0
}

/// The callbacks of the multi handles of a group.
///
/// libcurl calls them on the thread that drives the handles: an implementation stores the values
/// and returns. It must not use a multi handle. A handle's number is that of its creation.
package protocol MultiCallbacks: AnyObject {
    /// Watches `descriptor` for `interest`; nil stops watching.
    func watch(_ descriptor: Int32, for interest: SocketInterest?, by multi: Int)

    /// Schedules one call of ``MultiHandle/timeout()`` after `milliseconds`; nil cancels it.
    func setTimer(milliseconds: Int?, of multi: Int)

    /// Closes `descriptor`, which a callback of an easy handle has reported as opened.
    func closeSocket(_ descriptor: Int32)
}

/// The multi handles of one thread, between which easy handles may move.
///
/// It is the context of the callback that closes a socket, which libcurl takes from the easy handle
/// that has opened the connection. Each multi handle retains it, so it outlives all connections.
package final class MultiGroup {
    let callbacks: any MultiCallbacks

    package init(callbacks: any MultiCallbacks) {
        self.callbacks = callbacks
    }
}

/// The context that libcurl's callbacks of one multi handle receive.
///
/// The multi handle owns it. It frees it only after `curl_multi_cleanup` has returned, because that
/// still calls back.
private final class MultiContext {
    let callbacks: any MultiCallbacks
    let number: Int

    init(callbacks: any MultiCallbacks, number: Int) {
        self.callbacks = callbacks
        self.number = number
    }
}

/// A `CURLMOPT_` option that takes a number.
///
/// See <https://curl.se/libcurl/c/multi_setopt_options.html>.
package struct MultiOption: Sendable {
    let option: CURLMoption

    /// <https://curl.se/libcurl/c/CURLMOPT_PIPELINING.html>: 2 enables multiplexing, 0 disables it.
    package static var pipelining: Self { Self(option: CURLMOPT_PIPELINING) }

    /// <https://curl.se/libcurl/c/CURLMOPT_MAXCONNECTS.html>
    package static var maxConnects: Self { Self(option: CURLMOPT_MAXCONNECTS) }

    /// <https://curl.se/libcurl/c/CURLMOPT_MAX_CONCURRENT_STREAMS.html>
    package static var maxConcurrentStreams: Self { Self(option: CURLMOPT_MAX_CONCURRENT_STREAMS) }

    /// <https://curl.se/libcurl/c/CURLMOPT_RESOLVE_THREADS_MAX.html>, libcurl 8.20
    package static var maxResolveThreads: Self {
        Self(option: CURLMoption(UInt32(ccurl_multi_option_resolve_threads_max)))
    }

    /// <https://curl.se/libcurl/c/CURLMOPT_QUICK_EXIT.html>, libcurl 8.20
    package static var quickExit: Self {
        Self(option: CURLMoption(UInt32(ccurl_multi_option_quick_exit)))
    }
}
