internal import Glibc

extension FileDescriptor {
    /// At most `count` bytes from `offset` on, fewer only at the end of the file; the file's own
    /// position is neither used nor moved. The corresponding C function is `pread`.
    package func bytes(at offset: Int64, upTo count: Int) throws(FileError) -> [UInt8] {
        var reason: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            guard let start = buffer.baseAddress else { return }
            while filled < count {
                let position = off_t(offset) + off_t(filled)
                let got = unsafe pread(number, start + filled, count - filled, position)
                if got == 0 { return }
                if got > 0 {
                    filled += got
                } else if errno != EINTR {
                    reason = errno
                    return
                }
            }
        }
        guard reason == 0 else { throw failure("read", errno: reason) }
        return bytes
    }
}
