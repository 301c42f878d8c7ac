internal import CCurl

/// Owns a `curl_slist`, libcurl's type for lists of strings.
///
/// libcurl neither copies nor changes such a list, so an ``EasyHandle`` keeps those that it was
/// given. All lines share one buffer and all nodes another. Emptying the list keeps both, so a
/// handle that serves successive requests allocates nothing here.
@safe
package struct HeaderList: ~Copyable {
    private var text = unsafe UnsafeMutableBufferPointer<CChar>(start: nil, count: 0)
    private var textCount = 0
    private var nodes = unsafe UnsafeMutableBufferPointer<curl_slist>(start: nil, count: 0)
    private var nodeCount = 0

    private static let keptBytes = 16 * 1024

    package init() {}

    deinit {
        unsafe text.deallocate()
        unsafe nodes.deallocate()
    }

    /// The list for libcurl, valid until the next change; nil if it is empty.
    var head: UnsafeMutablePointer<curl_slist>? {
        unsafe nodeCount == 0 ? nil : nodes.baseAddress
    }

    /// Empties the list, and keeps its memory up to a limit.
    package mutating func removeAll() {
        if unsafe text.count > Self.keptBytes {
            unsafe text.deallocate()
            unsafe text = UnsafeMutableBufferPointer(start: nil, count: 0)
        }
        textCount = 0
        nodeCount = 0
    }

    /// Appends a copy of `line`.
    package mutating func append(_ line: String) {
        let start = textCount
        write(line)
        endLine(from: start)
    }

    /// Appends a header line in libcurl's form: `name;` for an empty value.
    package mutating func append(name: String, value: String) {
        let start = textCount
        write(name)
        if value.isEmpty {
            write(";")
        } else {
            write(": ")
            write(value)
        }
        endLine(from: start)
    }

    private mutating func write(_ string: String) {
        let bytes = string.utf8.span
        reserve(bytes.count)
        unsafe bytes.withUnsafeBytes { bytes in
            guard let end = unsafe text.baseAddress, let source = bytes.baseAddress else { return }
            unsafe UnsafeMutableRawPointer(end + textCount)
                .copyMemory(from: source, byteCount: bytes.count)
        }
        textCount += bytes.count
    }

    private mutating func endLine(from start: Int) {
        reserve(1)
        unsafe text[textCount] = 0
        textCount += 1
        if nodeCount == (unsafe nodes.count) { growNodes() }
        let line = unsafe text.baseAddress.map { unsafe $0 + start }
        unsafe nodes[nodeCount] = unsafe curl_slist(data: line, next: nil)
        if nodeCount > 0 {
            unsafe nodes[nodeCount - 1].next = nodes.baseAddress.map { unsafe $0 + nodeCount }
        }
        nodeCount += 1
    }

    /// Ensures capacity for `count` more bytes.
    private mutating func reserve(_ count: Int) {
        guard textCount + count > (unsafe text.count) else { return }
        let larger = unsafe UnsafeMutableBufferPointer<CChar>.allocate(
            capacity: max(256, 2 * text.count, textCount + count)
        )
        _ = unsafe larger.initialize(from: text.prefix(textCount))
        for index in 0..<nodeCount {
            guard let line = unsafe nodes[index].data, let old = unsafe text.baseAddress
            else { continue }
            unsafe nodes[index].data = larger.baseAddress.map { unsafe $0 + (line - old) }
        }
        unsafe text.deallocate()
        unsafe text = larger
    }

    private mutating func growNodes() {
        let larger = unsafe UnsafeMutableBufferPointer<curl_slist>.allocate(
            capacity: max(8, 2 * nodes.count)
        )
        _ = unsafe larger.initialize(from: nodes.prefix(nodeCount))
        for index in 0..<max(0, nodeCount - 1) {
            unsafe larger[index].next = larger.baseAddress.map { unsafe $0 + index + 1 }
        }
        unsafe nodes.deallocate()
        unsafe nodes = larger
    }
}
