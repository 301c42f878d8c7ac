internal import CCurl
internal import Glibc
internal import Posix

// libcurl's C callbacks. Each converts its context to an object, its bytes to a span, and the
// result to libcurl's number. They run on the thread that drives the multi handle.

/// Installs the callbacks of `pointer` with `context`, which the handle's owner keeps alive.
///
/// libcurl can't refuse these options.
func installCallbacks(
    on pointer: OpaquePointer,
    context: EasyContext,
    group: MultiGroup
) {
    let easy = unsafe Unmanaged.passUnretained(context).toOpaque()
    let loop = unsafe Unmanaged.passUnretained(group).toOpaque()
    unsafe ccurl_easy_setopt_pointer(
        pointer,
        CURLOPT_ERRORBUFFER,
        context.errorBuffer.baseAddress
    )
    unsafe ccurl_easy_setopt_data_function(pointer, CURLOPT_HEADERFUNCTION, headerCallback)
    unsafe ccurl_easy_setopt_pointer(pointer, CURLOPT_HEADERDATA, easy)
    unsafe ccurl_easy_setopt_data_function(pointer, CURLOPT_WRITEFUNCTION, bodyCallback)
    unsafe ccurl_easy_setopt_pointer(pointer, CURLOPT_WRITEDATA, easy)
    unsafe ccurl_easy_setopt_data_function(pointer, CURLOPT_READFUNCTION, fillCallback)
    unsafe ccurl_easy_setopt_pointer(pointer, CURLOPT_READDATA, easy)
    unsafe ccurl_easy_setopt_seek_function(pointer, seekCallback)
    unsafe ccurl_easy_setopt_pointer(pointer, CURLOPT_SEEKDATA, easy)
    unsafe ccurl_easy_setopt_prereq_function(pointer, readyCallback)
    unsafe ccurl_easy_setopt_pointer(pointer, CURLOPT_PREREQDATA, easy)
    unsafe ccurl_easy_setopt_opensocket_function(pointer, openSocketCallback)
    unsafe ccurl_easy_setopt_pointer(pointer, CURLOPT_OPENSOCKETDATA, easy)
    unsafe ccurl_easy_setopt_debug_function(pointer, debugCallback)
    unsafe ccurl_easy_setopt_pointer(pointer, CURLOPT_DEBUGDATA, easy)
    // The connection outlives the transfer, so the group's callbacks handle its closing.
    unsafe ccurl_easy_setopt_closesocket_function(pointer, closeSocketCallback)
    unsafe ccurl_easy_setopt_pointer(pointer, CURLOPT_CLOSESOCKETDATA, loop)
}

private func easyContext(_ context: UnsafeMutableRawPointer?) -> EasyContext? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<EasyContext>.fromOpaque(context).takeUnretainedValue()
}

private func callbacks(_ context: UnsafeMutableRawPointer?) -> (any EasyCallbacks)? {
    unsafe easyContext(context)?.callbacks
}

private func dataResult(_ action: EasyDataAction, accepted: Int) -> Int {
    switch action {
    case .accept: accepted
    case .pause: Int(CURL_WRITEFUNC_PAUSE)
    case .abort: accepted == 0 ? 1 : 0
    }
}

private let headerCallback: ccurl_data_callback = { bytes, size, count, context in
    guard let easy = unsafe easyContext(context), let callbacks = easy.callbacks,
        let bytes = unsafe bytes
    else { return 0 }
    let length = size * count
    unsafe easy.firstField.willDeliver(UnsafeMutableRawBufferPointer(start: bytes, count: length))
    let span = unsafe UnsafeRawBufferPointer(start: bytes, count: length)
        .assumingMemoryBound(to: UInt8.self).span
    return dataResult(callbacks.received(headerLine: span), accepted: length)
}

private let bodyCallback: ccurl_data_callback = { bytes, size, count, context in
    guard let callbacks = unsafe callbacks(context), let bytes = unsafe bytes else { return 0 }
    let length = size * count
    let span = unsafe UnsafeRawBufferPointer(start: bytes, count: length)
        .assumingMemoryBound(to: UInt8.self).span
    return dataResult(callbacks.received(body: span), accepted: length)
}

private let fillCallback: ccurl_data_callback = { bytes, size, count, context in
    guard let callbacks = unsafe callbacks(context), let bytes = unsafe bytes else {
        return Int(CURL_READFUNC_ABORT)
    }
    let buffer = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
        .assumingMemoryBound(to: UInt8.self)
    var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
    let action = callbacks.fill(&output)
    let filled = unsafe output.finalize(for: buffer)
    switch action {
    case .bytes: return filled
    case .endOfBody: return 0
    case .pause: return Int(CURL_READFUNC_PAUSE)
    case .abort: return Int(CURL_READFUNC_ABORT)
    }
}

private let seekCallback: ccurl_seek_callback = { context, offset, origin in
    guard let callbacks = unsafe callbacks(context), origin == SEEK_SET else {
        return CURL_SEEKFUNC_CANTSEEK
    }
    return switch callbacks.seekRequestBody(to: Int64(offset)) {
    case .done: CURL_SEEKFUNC_OK
    case .impossible: CURL_SEEKFUNC_CANTSEEK
    }
}

private let readyCallback: ccurl_prereq_callback = {
    context,
    remote,
    local,
    remotePort,
    localPort in
    guard let callbacks = unsafe callbacks(context) else { return CURL_PREREQFUNC_ABORT }
    let ends = ConnectionEnds(
        local: unsafe address(local),
        localPort: UInt16(clamping: localPort),
        remote: unsafe address(remote),
        remotePort: UInt16(clamping: remotePort)
    )
    return callbacks.readyToSend(between: ends) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

private func address(_ text: UnsafePointer<CChar>?) -> AddressText {
    guard let text = unsafe text else { return AddressText() }
    let length = unsafe strnlen(text, AddressText.maximumLength)
    return unsafe AddressText(UnsafeRawBufferPointer(start: text, count: length))
}

/// The address that libcurl is about to connect to; nil for a unix socket.
private func numericAddress(_ address: UnsafePointer<curl_sockaddr>) -> IPAddress? {
    var bytes: InlineArray<16, UInt8> = .init(repeating: 0)
    var storage = bytes.mutableSpan
    let count = unsafe storage.withUnsafeMutableBufferPointer { buffer in
        unsafe buffer.baseAddress.map { unsafe ccurl_ip_address(address, $0) } ?? 0
    }
    return IPAddress(bytes: bytes.span.extracting(first: count))
}

private let openSocketCallback: ccurl_opensocket_callback = { context, _, address in
    guard let callbacks = unsafe callbacks(context), let address = unsafe address,
        callbacks.mayOpenSocket(to: unsafe numericAddress(address))
    else { return CURL_SOCKET_BAD }
    let descriptor = unsafe ccurl_open_socket(address)
    if descriptor >= 0 {
        callbacks.openedSocket(descriptor)
    }
    return descriptor
}

private let closeSocketCallback: ccurl_closesocket_callback = { context, descriptor in
    guard let context = unsafe context else { return 1 }
    let group = unsafe Unmanaged<MultiGroup>.fromOpaque(context).takeUnretainedValue()
    group.callbacks.closeSocket(descriptor)
    return 0
}

private let debugCallback: ccurl_debug_callback = { _, type, bytes, count, context in
    guard let easy = unsafe easyContext(context), let bytes = unsafe bytes else { return 0 }
    let line = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: count)
    if easy.firstField.isVerbose, let callbacks = easy.callbacks, let kind = logKind(type) {
        callbacks.logged(kind, unsafe line.assumingMemoryBound(to: UInt8.self).span)
    }
    if type == CURLINFO_HEADER_IN { unsafe easy.firstField.willStore(line) }
    return 0
}

private func logKind(_ type: curl_infotype) -> EasyLogKind? {
    switch type {
    case CURLINFO_TEXT: .text
    case CURLINFO_HEADER_IN: .headerReceived
    case CURLINFO_HEADER_OUT: .headerSent
    case CURLINFO_DATA_IN: .bodyReceived
    case CURLINFO_DATA_OUT: .bodySent
    case CURLINFO_SSL_DATA_IN: .tlsReceived
    case CURLINFO_SSL_DATA_OUT: .tlsSent
    default: nil
    }
}

/// The context that libcurl's callbacks of one easy handle receive.
///
/// The easy handle owns it and outlives every callback. It retains the callbacks' object.
/// ``EasyHandle/detach()`` or freeing the handle breaks that cycle.
@safe
final class EasyContext {
    /// Nil while the handle serves no transfer.
    var callbacks: (any EasyCallbacks)?
    let firstField: FirstFieldGuard
    let errorBuffer: UnsafeMutableBufferPointer<CChar>

    // libcurl doesn't copy lists, so they live as long as the handle.
    private var headers = HeaderList()
    private var others: [KeptList] = []

    /// The last TLS names from OpenSSL, identified by their addresses, which never change.
    private var lastTLS: (version: UnsafePointer<CChar>, cipher: UnsafePointer<CChar>, TLSInfo)?

    private final class KeptList {
        var list = HeaderList()
    }

    init(of pointer: OpaquePointer) {
        unsafe firstField = FirstFieldGuard(of: pointer)
        unsafe errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorBuffer.initialize(repeating: 0)
    }

    deinit {
        unsafe errorBuffer.deallocate()
    }

    func clearErrorText() {
        unsafe errorBuffer[0] = 0
    }

    /// Replaces the header fields, and reuses their memory.
    func fillHeaders(_ fill: (inout HeaderList) -> Void) -> UnsafeMutablePointer<curl_slist>? {
        headers.removeAll()
        fill(&headers)
        return unsafe headers.head
    }

    /// Creates a list of `lines`.
    func keep(_ lines: [String]) -> UnsafeMutablePointer<curl_slist>? {
        let kept = KeptList()
        for line in lines { kept.list.append(line) }
        others.append(kept)
        return unsafe kept.list.head
    }

    /// Protocol version and cipher suite by OpenSSL's names.
    ///
    /// OpenSSL's names are constants. Most TLS requests have the same ones as the previous request.
    func tls(version: UnsafePointer<CChar>, cipher: UnsafePointer<CChar>) -> TLSInfo {
        if let (lastVersion, lastCipher, info) = unsafe lastTLS,
            unsafe lastVersion == version && lastCipher == cipher
        {
            return info
        }
        let info = unsafe TLSInfo(
            version: String(cString: version),
            cipher: String(cString: cipher)
        )
        unsafe lastTLS = unsafe (version, cipher, info)
        return info
    }

    /// libcurl's error text; empty if there is none.
    var errorText: String {
        guard let start = unsafe errorBuffer.baseAddress else { return "" }
        return unsafe String(cString: start)
    }
}
