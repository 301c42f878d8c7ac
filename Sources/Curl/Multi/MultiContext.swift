/// What libcurl's callbacks of a multi handle, and of the connections in it, are given.
///
/// The multi handle owns it, and frees it only after `curl_multi_cleanup` has returned, which still
/// calls back.
final class MultiContext {
    let callbacks: any MultiCallbacks

    init(callbacks: any MultiCallbacks) {
        self.callbacks = callbacks
    }
}
