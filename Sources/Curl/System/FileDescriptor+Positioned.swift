internal import CCurl
internal import Glibc

extension FileDescriptor {
    /// At most `count` bytes from `offset` on, fewer only at the end of the file; the file's own
    /// position is neither used nor moved. The corresponding C function is `pread`.
    package func bytes(at offset: Int64, upTo count: Int) throws(FileError) -> [UInt8] {
        // An array without room is the one that all share, and would be written to.
        guard count > 0 else { return [] }
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

extension FileDescriptor {
    /// Writes all of `bytes` from `offset` on; the file's own position is neither used nor moved.
    /// The corresponding C function is `pwrite`.
    package func write(_ bytes: [UInt8], at offset: Int64) throws(FileError) {
        var written = 0
        while written < bytes.count {
            let got = unsafe bytes.withUnsafeBytes { buffer in
                unsafe pwrite(
                    number,
                    buffer.baseAddress.map { unsafe $0 + written },
                    buffer.count - written,
                    off_t(offset) + off_t(written)
                )
            }
            if got >= 0 {
                written += got
            } else if errno != EINTR {
                throw failure("write to")
            }
        }
    }
}

/// What a read that must not wait came to.
package enum PromptRead: Sendable, Hashable {
    /// So many bytes; none at the end of the file.
    case bytes(Int)
    /// The disk would have to be waited for, or the file system can't tell.
    case wouldWait
}

extension FileDescriptor {
    /// Whether no disk is ever waited for: the file lies in memory.
    package var isInMemory: Bool { ccurl_is_in_memory(number) }

    /// Appends what the kernel has of the file from `offset` on without waiting for a disk, at most
    /// `count` bytes. The corresponding C function is `preadv2` with `RWF_NOWAIT`.
    ///
    /// - Parameter isInMemory: what ``isInMemory`` says; such a file is read with `pread`.
    package func readPromptly(
        at offset: Int64,
        upTo count: Int,
        isInMemory: Bool,
        into output: inout OutputSpan<UInt8>
    ) throws(FileError) -> PromptRead {
        var got = 0
        unsafe output.withUnsafeMutableBufferPointer { buffer, filled in
            guard let start = buffer.baseAddress else { return }
            let room = min(count, buffer.count - filled)
            repeat {
                got =
                    isInMemory
                    ? unsafe pread(number, start + filled, room, off_t(offset))
                    : unsafe ccurl_read_without_waiting(
                        number,
                        start + filled,
                        room,
                        off_t(offset)
                    )
            } while got < 0 && errno == EINTR
            filled += max(0, got)
        }
        guard got < 0 else { return .bytes(got) }
        switch errno {
        case EAGAIN, EOPNOTSUPP, ENOSYS, EINVAL: return .wouldWait
        default: throw failure("read", errno: errno)
        }
    }
}
