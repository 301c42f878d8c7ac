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

    /// Appends a copy of `line`.
    package mutating func append(_ line: String) {
        unsafe append(curl_slist_append(nil, line))
    }

    /// Appends a header line, in the form that libcurl wants: `name;` where the value is empty.
    package mutating func append(name: String, value: String) {
        let length = name.utf8.count + value.utf8.count + 3
        let node = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: length) { line in
            guard let start = line.baseAddress else { return unsafe Node?.none }
            var end = unsafe copy(name, to: start)
            if value.isEmpty {
                unsafe end.pointee = CChar(UInt8(ascii: ";"))
                unsafe end += 1
            } else {
                unsafe end.pointee = CChar(UInt8(ascii: ":"))
                unsafe end[1] = CChar(UInt8(ascii: " "))
                unsafe end = copy(value, to: end + 2)
            }
            unsafe end.pointee = 0
            return unsafe curl_slist_append(nil, start)
        }
        unsafe append(node)
    }

    private typealias Node = UnsafeMutablePointer<curl_slist>

    private func copy(
        _ text: String,
        to start: UnsafeMutablePointer<CChar>
    ) -> UnsafeMutablePointer<CChar> {
        var end = unsafe start
        for byte in text.utf8 {
            unsafe end.pointee = CChar(bitPattern: byte)
            unsafe end += 1
        }
        return unsafe end
    }

    private mutating func append(_ node: Node?) {
        // Appending at the last node keeps this linear: libcurl itself walks from the node given.
        guard let node = unsafe node else { return }
        if let last = unsafe last {
            unsafe last.pointee.next = node
        } else {
            unsafe head = node
        }
        unsafe last = node
    }
}
