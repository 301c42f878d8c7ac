import Glibc

/// What `errno.h` says in words. The corresponding C function is `strerror_r`.
package enum SystemMessage {
    /// The words for an error number; never empty.
    package static func text(for number: Int32) -> String {
        let words = [UInt8](capacity: 256) { output in
            unsafe output.withUnsafeMutableBufferPointer { buffer, count in
                guard let start = buffer.baseAddress else { return }
                unsafe start.withMemoryRebound(to: CChar.self, capacity: buffer.count) {
                    guard unsafe strerror_r(number, $0, buffer.count) == 0 else { return }
                    count = unsafe strnlen($0, buffer.count)
                }
            }
        }
        return words.isEmpty ? "error \(number)" : String(decoding: words, as: UTF8.self)
    }
}
