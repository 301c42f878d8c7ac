internal import CPosix
internal import Glibc

extension FileDescriptor {
    /// Reads up to `count` bytes from `offset` on, fewer only at the end of the file.
    ///
    /// The file's position is neither used nor changed. The corresponding C function is `pread`.
    package func bytes(at offset: Int64, upTo count: Int) throws(FileError) -> [UInt8] {
        // An array without capacity is a shared constant, which must not be written to.
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
    /// Writes all of `bytes` from `offset` on.
    ///
    /// The file's position is neither used nor changed. The corresponding C function is `pwrite`.
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

/// The result of a non-blocking read.
package enum NonblockingRead: Sendable, Hashable {
    /// The number of bytes; zero at the end of the file.
    case bytes(Int)
    /// The read would block on the disk, or the file system doesn't support the call.
    case wouldWait
}

extension FileDescriptor {
    /// Whether the file is in memory, so that reading never blocks on a disk.
    package var isInMemory: Bool { cposix_is_in_memory(number) }

    /// Appends bytes that are available without blocking on a disk.
    ///
    /// They are up to `count` bytes from `offset` on. The corresponding C function is `preadv2`
    /// with `RWF_NOWAIT`.
    ///
    /// - Parameter isInMemory: The value of ``isInMemory``. Such a file is read with `pread`.
    package func readNonblocking(
        at offset: Int64,
        upTo count: Int,
        isInMemory: Bool,
        into output: inout OutputSpan<UInt8>
    ) throws(FileError) -> NonblockingRead {
        var got = 0
        unsafe output.withUnsafeMutableBufferPointer { buffer, filled in
            guard let start = buffer.baseAddress else { return }
            let room = min(count, buffer.count - filled)
            repeat {
                got =
                    isInMemory
                    ? unsafe pread(number, start + filled, room, off_t(offset))
                    : unsafe cposix_read_without_waiting(
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
