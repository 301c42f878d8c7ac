internal import CCurl
package import Posix

/// Owns a `CURLM*`: the connections and transfers of one loop.
///
/// Created, used and freed on one thread. See <https://curl.se/libcurl/c/libcurl-multi.html>.
@safe
package struct MultiHandle: ~Copyable {
    let pointer: OpaquePointer
    let context: MultiContext

    package init(callbacks: any MultiCallbacks) throws(CurlCode) {
        guard CurlGlobal.initialisation == .ok, let pointer = unsafe WakeupSockets.makeMulti()
        else {
            throw CurlCode.failedInit
        }
        unsafe self.pointer = pointer
        context = MultiContext(callbacks: callbacks)
        let opaque = unsafe Unmanaged.passUnretained(context).toOpaque()
        unsafe ccurl_multi_setopt_socket_function(pointer, socketCallback)
        unsafe ccurl_multi_setopt_pointer(pointer, CURLMOPT_SOCKETDATA, opaque)
        unsafe ccurl_multi_setopt_timer_function(pointer, timerCallback)
        unsafe ccurl_multi_setopt_pointer(pointer, CURLMOPT_TIMERDATA, opaque)
    }

    /// Closes the connections. The context must outlive that, because closing calls back.
    deinit {
        unsafe ccurl_multi_cleanup(pointer)
        extendLifetime(context)
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
    let callbacks = unsafe Unmanaged<MultiContext>.fromOpaque(context)
        .takeUnretainedValue().callbacks
    switch what {
    case CURL_POLL_IN: callbacks.watch(descriptor, for: .read)
    case CURL_POLL_OUT: callbacks.watch(descriptor, for: .write)
    case CURL_POLL_INOUT: callbacks.watch(descriptor, for: [.read, .write])
    default: callbacks.watch(descriptor, for: nil)
    }
    return 0
}

private let timerCallback: ccurl_timer_callback = { _, milliseconds, context in
    guard let context = unsafe context else { return 0 }
    let callbacks = unsafe Unmanaged<MultiContext>.fromOpaque(context)
        .takeUnretainedValue().callbacks
    callbacks.setTimer(milliseconds: milliseconds < 0 ? nil : Int(milliseconds))
    return 0
}

/// The callbacks of a multi handle.
///
/// libcurl calls them on the thread that drives the handle: an implementation stores the values and
/// returns. It must not use the multi handle.
package protocol MultiCallbacks: AnyObject {
    /// Watches `descriptor` for `interest`; nil stops watching.
    func watch(_ descriptor: Int32, for interest: SocketInterest?)

    /// Schedules one call of ``MultiHandle/timeout()`` after `milliseconds`; nil cancels it.
    func setTimer(milliseconds: Int?)

    /// Closes `descriptor`, which a callback of an easy handle has reported as opened.
    func closeSocket(_ descriptor: Int32)
}

/// The context that libcurl's callbacks of a multi handle and its connections receive.
///
/// The multi handle owns it. It frees it only after `curl_multi_cleanup` has returned, because that
/// still calls back.
final class MultiContext {
    let callbacks: any MultiCallbacks

    init(callbacks: any MultiCallbacks) {
        self.callbacks = callbacks
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
