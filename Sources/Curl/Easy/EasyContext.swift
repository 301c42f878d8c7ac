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

    /// What libcurl wrote about the failure; empty where it wrote nothing.
    var errorText: String {
        guard let start = unsafe errorBuffer.baseAddress else { return "" }
        return unsafe String(cString: start)
    }
}
