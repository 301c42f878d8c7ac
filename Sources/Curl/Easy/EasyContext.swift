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

    /// What libcurl wrote about the failure; empty where it wrote nothing.
    var errorText: String {
        guard let start = unsafe errorBuffer.baseAddress else { return "" }
        return unsafe String(cString: start)
    }
}
