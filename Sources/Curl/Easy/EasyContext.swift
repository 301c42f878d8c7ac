internal import CCurl

/// What libcurl's callbacks of one easy handle are given: the way back into Swift.
///
/// The easy handle owns it and outlives every callback. It holds the callbacks' object strongly,
/// and the owner of the handle cuts that circle by freeing the handle.
@safe
final class EasyContext {
    let callbacks: any EasyCallbacks
    let errorBuffer: UnsafeMutableBufferPointer<CChar>

    init(callbacks: any EasyCallbacks) {
        self.callbacks = callbacks
        unsafe errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorBuffer.initialize(repeating: 0)
    }

    deinit {
        unsafe errorBuffer.deallocate()
    }

    /// What libcurl wrote about the failure; empty where it wrote nothing.
    var errorText: String {
        guard let start = unsafe errorBuffer.baseAddress else { return "" }
        return unsafe String(cString: start)
    }
}
