import CCurl

/// Owner of a `curl_slist`, the list of strings that several options take.
///
/// libcurl doesn't copy such a list: an ``EasyHandle`` keeps those that it was given.
@safe
package struct HeaderList: ~Copyable {
    private(set) var head: UnsafeMutablePointer<curl_slist>?
    private var last: UnsafeMutablePointer<curl_slist>?

    package init() {}

    deinit {
        unsafe curl_slist_free_all(head)
    }

    package var isEmpty: Bool { unsafe head == nil }

    /// Appends a copy of `line`. Answers false only when memory has run out.
    package mutating func append(_ line: String) {
        // Appending at the last node keeps this linear: libcurl itself walks from the node given.
        guard let node = unsafe curl_slist_append(nil, line) else { return }
        if let last = unsafe last {
            unsafe last.pointee.next = node
        } else {
            unsafe head = node
        }
        unsafe last = node
    }
}
