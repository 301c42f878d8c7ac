internal import FuzzWire

/// A folder for the files of cases, with a unique name for each.
struct TemporaryFolder: Sendable {
    let path: String

    /// Nil if the folder can't be created.
    init?() {
        var name = Array("/tmp/fuzz.XXXXXX".utf8CString)
        guard fuzz_make_folder(&name) else { return nil }
        path = name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }

    func path(for exchange: Exchange) -> String { "\(path)/\(exchange.tag)" }

    /// Reads a file and removes it; nil if it doesn't exist.
    static func takeFile(_ path: String) -> [UInt8]? {
        var content = fuzz_bytes()
        guard fuzz_take_file(path, &content) else { return nil }
        defer { fuzz_bytes_free(&content) }
        return Array(UnsafeBufferPointer(start: content.data, count: content.count))
    }

    func remove() { fuzz_remove_folder(path) }
}
