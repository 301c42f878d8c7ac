internal import CCurl

/// What libcurl's callbacks of one easy handle are given: the way back into Swift.
///
/// The easy handle owns it and outlives every callback. It holds the callbacks' object strongly,
/// and ``EasyHandle/detach()`` or the freeing of the handle cuts that circle.
@safe
final class EasyContext {
    /// Nil while the handle serves no transfer.
    var callbacks: (any EasyCallbacks)?
    let errorBuffer: UnsafeMutableBufferPointer<CChar>

    // libcurl doesn't copy lists, so they live as long as the handle.
    private var headers = HeaderList()
    private var others: [KeptList] = []

    /// What OpenSSL last named so, by the places of the names, which never change.
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

    /// Makes the header fields anew, in the memory of those before.
    func fillHeaders(_ fill: (inout HeaderList) -> Void) -> UnsafeMutablePointer<curl_slist>? {
        headers.removeAll()
        fill(&headers)
        return unsafe headers.head
    }

    /// Makes a list of `lines`.
    func keep(_ lines: [String]) -> UnsafeMutablePointer<curl_slist>? {
        let kept = KeptList()
        for line in lines { kept.list.append(line) }
        others.append(kept)
        return unsafe kept.list.head
    }

    /// Version and cipher suite by OpenSSL's names, which are constants of its own: most requests over
    /// TLS agree on what the one before has agreed on.
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

    /// What libcurl wrote about the failure; empty where it wrote nothing.
    var errorText: String {
        guard let start = unsafe errorBuffer.baseAddress else { return "" }
        return unsafe String(cString: start)
    }
}
