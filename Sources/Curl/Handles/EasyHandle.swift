internal import CCurl

/// Owns a `CURL*`, which serves one transfer at a time.
///
/// Created, used and freed on the thread that drives its multi handle. It must be removed from the
/// multi handle before it is freed. See <https://curl.se/libcurl/c/curl_easy_init.html>.
@safe
package struct EasyHandle: ~Copyable {
    let pointer: OpaquePointer
    let context: EasyContext

    /// Creates a handle for transfers in `multi`, without a transfer.
    package init(for multi: borrowing MultiHandle) throws(CurlCode) {
        try self.init(for: multi.group)
    }

    /// Creates a handle for transfers in any multi handle of `group`, without a transfer.
    package init(for group: MultiGroup) throws(CurlCode) {
        guard let pointer = unsafe ccurl_easy_init() else { throw CurlCode.failedInit }
        unsafe self.pointer = pointer
        unsafe context = EasyContext(of: pointer)
        unsafe installCallbacks(on: pointer, context: context, group: group)
    }

    /// Assigns a transfer to the handle.
    ///
    /// `callbacks` receives its callbacks, and ``MultiHandle/nextResult()`` identifies it by
    /// `token`.
    package borrowing func attach(_ callbacks: any EasyCallbacks, token: UInt64) {
        context.callbacks = callbacks
        context.firstField.begin()
        context.clearErrorText()
        // libcurl stores only this number with the size of a pointer, and never dereferences it.
        _ = unsafe ccurl_easy_setopt_pointer(
            pointer,
            CURLOPT_PRIVATE,
            UnsafeMutableRawPointer(bitPattern: UInt(token))
        )
    }

    /// Ends the assignment of a transfer. The handle must have been removed from its multi handle.
    package borrowing func detach() {
        context.callbacks = nil
        context.firstField.end()
    }

    deinit {
        unsafe ccurl_easy_cleanup(pointer)
    }

    // MARK: Options

    package borrowing func set(
        _ option: EasyOption<Bool>,
        _ value: Bool
    ) throws(EasyOptionFailure) {
        try unsafe check(
            ccurl_easy_setopt_long(pointer, option.option, value ? 1 : 0),
            option.option
        )
        if option.rawValue == CURLOPT_VERBOSE.rawValue { context.firstField.isVerbose = value }
    }

    package borrowing func set(
        _ option: EasyOption<Int>,
        _ value: Int
    ) throws(EasyOptionFailure) {
        try unsafe check(ccurl_easy_setopt_long(pointer, option.option, value), option.option)
    }

    package borrowing func set(
        _ option: EasyOption<Int64>,
        _ value: Int64
    ) throws(EasyOptionFailure) {
        try unsafe check(
            ccurl_easy_setopt_off_t(pointer, option.option, curl_off_t(value)),
            option.option
        )
    }

    package borrowing func set(
        _ option: EasyOption<String?>,
        _ value: String?
    ) throws(EasyOptionFailure) {
        let code =
            if let value {
                unsafe ccurl_easy_setopt_string(pointer, option.option, value)
            } else {
                unsafe ccurl_easy_setopt_string(pointer, option.option, nil)
            }
        try check(code, option.option)
    }

    package borrowing func set(
        _ option: EasyOption<[UInt8]>,
        _ value: [UInt8]
    ) throws(EasyOptionFailure) {
        if option.rawValue == CURLOPT_COPYPOSTFIELDS.rawValue {
            // libcurl copies as many bytes as the size that must be set before.
            try set(.postFieldSize, Int64(value.count))
            let code = unsafe value.withUnsafeBytes { bytes in
                unsafe ccurl_easy_setopt_string(
                    pointer,
                    option.option,
                    bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                )
            }
            return try check(code, option.option)
        }
        let code = unsafe value.withUnsafeBytes { bytes in
            unsafe ccurl_easy_setopt_blob(pointer, option.option, bytes.baseAddress, bytes.count)
        }
        try check(code, option.option)
    }

    /// Uses the caches of `share`. See <https://curl.se/libcurl/c/CURLOPT_SHARE.html>.
    package borrowing func set(share: borrowing ShareHandle) throws(EasyOptionFailure) {
        try unsafe check(ccurl_easy_setopt_share(pointer, share.pointer), CURLOPT_SHARE)
    }

    /// Sets the header list that `fill` appends to.
    ///
    /// See <https://curl.se/libcurl/c/CURLOPT_HTTPHEADER.html>.
    package borrowing func setHeaders(
        _ fill: (inout HeaderList) -> Void
    ) throws(EasyOptionFailure) {
        try unsafe set(CURLOPT_HTTPHEADER, context.fillHeaders(fill))
    }

    /// <https://curl.se/libcurl/c/CURLOPT_PROXYHEADER.html>
    package borrowing func set(proxyHeaders lines: [String]) throws(EasyOptionFailure) {
        try unsafe set(CURLOPT_PROXYHEADER, context.keep(lines))
    }

    /// <https://curl.se/libcurl/c/CURLOPT_RESOLVE.html>
    package borrowing func set(resolve lines: [String]) throws(EasyOptionFailure) {
        try unsafe set(CURLOPT_RESOLVE, context.keep(lines))
    }

    /// <https://curl.se/libcurl/c/CURLOPT_CONNECT_TO.html>
    package borrowing func set(connectTo lines: [String]) throws(EasyOptionFailure) {
        try unsafe set(CURLOPT_CONNECT_TO, context.keep(lines))
    }

    private borrowing func set(
        _ option: CURLoption,
        _ list: UnsafeMutablePointer<curl_slist>?
    ) throws(EasyOptionFailure) {
        try check(unsafe ccurl_easy_setopt_slist(pointer, option, list), option)
    }

    /// Sets scheme, host and port from `url`.
    ///
    /// `url` must live as long as it is set. It replaces the value of ``EasyOption/url``. See
    /// <https://curl.se/libcurl/c/CURLOPT_CURLU.html>.
    package borrowing func set(url: borrowing CurlURL) throws(EasyOptionFailure) {
        // libcurl keeps the text of a handle's first URL, so this clears it.
        try set(.url, nil)
        try check(unsafe ccurl_easy_setopt_url(pointer, url.handle), CURLOPT_CURLU)
    }

    private borrowing func check(
        _ code: CURLcode,
        _ option: CURLoption
    ) throws(EasyOptionFailure) {
        guard code != CURLE_OK else { return }
        throw EasyOptionFailure(code: code, option: option)
    }

    // MARK: Pausing

    /// Pauses or resumes both directions, while the handle is in its multi handle.
    ///
    /// Resuming may call the body callback before this returns. See
    /// <https://curl.se/libcurl/c/curl_easy_pause.html>.
    @discardableResult
    package borrowing func pause(receiving: Bool, sending: Bool) -> CurlCode {
        var mask: Int32 = 0
        if receiving { mask |= Int32(CURLPAUSE_RECV) }
        if sending { mask |= Int32(CURLPAUSE_SEND) }
        return CurlCode(rawValue: Int32(unsafe ccurl_easy_pause(pointer, mask).rawValue))
    }

    /// libcurl's error text; empty if there is none.
    package var errorText: String { context.errorText }
}

extension EasyHandle {
    /// Sets options in order, and stops at the first that libcurl refuses.
    package borrowing func set(_ settings: [EasySetting]) throws(EasyOptionFailure) {
        for setting in settings {
            switch setting {
            case .flag(let option, let value): try set(option, value)
            case .number(let option, let value): try set(option, value)
            case .amount(let option, let value): try set(option, value)
            case .text(let option, let value): try set(option, value)
            case .bytes(let option, let value): try set(option, value)
            }
        }
    }
}
