internal import CCurl

/// The context that libcurl's callbacks of one easy handle receive.
///
/// The easy handle owns it and outlives every callback. It retains the callbacks' object.
/// ``EasyHandle/detach()`` or freeing the handle breaks that cycle.
@safe
final class EasyContext {
    /// Nil while the handle serves no transfer.
    var callbacks: (any EasyCallbacks)?
    let errorBuffer: UnsafeMutableBufferPointer<CChar>

    // libcurl doesn't copy lists, so they live as long as the handle.
    private var headers = HeaderList()
    private var others: [KeptList] = []

    /// The last TLS names from OpenSSL, identified by their addresses, which never change.
    private var lastTLS: (version: UnsafePointer<CChar>, cipher: UnsafePointer<CChar>, TLSInfo)?

    private final class KeptList {
        var list = HeaderList()
    }

    init() {
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
