internal import CCurl

/// Owner of one `CURLM*`: the connections and transfers of one loop.
///
/// Made, used and freed on one thread. See <https://curl.se/libcurl/c/libcurl-multi.html>.
@safe
package struct MultiHandle: ~Copyable {
    let pointer: OpaquePointer
    let context: MultiContext

    package init(callbacks: any MultiCallbacks) throws(CurlCode) {
        guard CurlGlobal.initialisation == .ok, let pointer = unsafe curl_multi_init() else {
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

    /// Closes the connections. The context lives until that is done, because closing calls back.
    deinit {
        unsafe curl_multi_cleanup(pointer)
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
        unsafe MultiCode(rawValue: curl_multi_add_handle(pointer, easy.pointer).rawValue)
    }

    /// <https://curl.se/libcurl/c/curl_multi_remove_handle.html>
    @discardableResult
    package borrowing func remove(_ easy: borrowing EasyHandle) -> MultiCode {
        unsafe MultiCode(rawValue: curl_multi_remove_handle(pointer, easy.pointer).rawValue)
    }

    /// Works on what `descriptor` is ready for.
    /// See <https://curl.se/libcurl/c/curl_multi_socket_action.html>.
    package borrowing func work(on descriptor: Int32, ready: SocketInterest) -> MultiCode {
        var bits: Int32 = 0
        if ready.contains(.read) { bits |= CURL_CSELECT_IN }
        if ready.contains(.write) { bits |= CURL_CSELECT_OUT }
        if ready.contains(.error) { bits |= CURL_CSELECT_ERR }
        var running: Int32 = 0
        return unsafe MultiCode(
            rawValue: curl_multi_socket_action(pointer, descriptor, bits, &running).rawValue
        )
    }

    /// Works on what is due by the clock.
    package borrowing func timeout() -> MultiCode {
        var running: Int32 = 0
        return unsafe MultiCode(
            rawValue: curl_multi_socket_action(pointer, CURL_SOCKET_TIMEOUT, 0, &running).rawValue
        )
    }

    /// A transfer that has ended, by its token, and how. It stays in the multi handle until it is
    /// removed. See <https://curl.se/libcurl/c/curl_multi_info_read.html>.
    package borrowing func nextResult() -> (token: UInt64, code: CurlCode)? {
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(pointer, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE,
                let easy = unsafe message.pointee.easy_handle
            else { continue }
            let result = unsafe ccurl_message_result(message)
            var token: UnsafeMutableRawPointer?
            unsafe ccurl_easy_getinfo_pointer(easy, CURLINFO_PRIVATE, &token)
            return (UInt64(UInt(bitPattern: token)), CurlCode(rawValue: Int32(result.rawValue)))
        }
        return nil
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
