internal import CPosix
internal import Glibc

extension FileDescriptor {
    /// Reads once into the free capacity of `output`.
    ///
    /// Returns the number of bytes, 0 at the end of the file. The corresponding C function is
    /// `read`.
    package func read(into output: inout OutputSpan<UInt8>) throws(FileError) -> Int {
        var got = 0
        var reason: Int32 = 0
        let free = output.freeCapacity
        guard free > 0 else { return 0 }
        unsafe output.withUnsafeMutableBufferPointer { buffer, count in
            guard let start = buffer.baseAddress else { return }
            repeat {
                got = unsafe Glibc.read(number, start + count, free)
                reason = got < 0 ? errno : 0
            } while reason != 0 && (reason == EINTR || waitsAfter(reason, for: POLLIN))
            count += max(got, 0)
        }
        guard reason == 0 else { throw failure("read", errno: reason) }
        return got
    }

    /// Reads once and appends up to `count` bytes.
    ///
    /// Returns the number of bytes, 0 at the end of the file.
    package func read(
        appendingTo bytes: inout [UInt8],
        upTo count: Int
    ) throws(FileError) -> Int {
        var got = 0
        try bytes.append(addingCapacity: count) { output throws(FileError) in
            got = try read(into: &output)
        }
        return got
    }

    /// Writes all of `bytes`, with as many calls of `write` as necessary.
    package func write(_ bytes: Span<UInt8>) throws(FileError) {
        var reason: Int32 = 0
        unsafe bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress else { return }
            var done = 0
            while done < buffer.count {
                let written = unsafe Glibc.write(number, start + done, buffer.count - done)
                if written >= 0 {
                    done += written
                    continue
                }
                reason = errno
                guard reason == EINTR || waitsAfter(reason, for: POLLOUT) else { return }
                reason = 0
            }
        }
        guard reason == 0 else { throw failure("write", errno: reason) }
    }

    /// Writes all of `bytes`, with as many calls as necessary.
    package func write(_ bytes: [UInt8]) throws(FileError) {
        try write(bytes.span)
    }

    /// Sets the position of the next read or write, in bytes from the start.
    ///
    /// The corresponding C function is `lseek`.
    package func seek(to offset: Int64) throws(FileError) {
        guard lseek(number, off_t(offset), SEEK_SET) >= 0 else { throw failure("seek in") }
    }

    /// Waits until the device has stored the written data.
    ///
    /// The corresponding C function is `fdatasync`.
    package func synchronize() throws(FileError) {
        while fdatasync(number) != 0 {
            guard errno == EINTR else { throw failure("synchronize") }
        }
    }

    /// Waits until the device has stored all data and names of the file's file system.
    ///
    /// One call is enough for many files. The corresponding C function is `syncfs`.
    package func synchronizeFileSystem() throws(FileError) {
        while cposix_sync_file_system(number) != 0 {
            guard errno == EINTR else { throw failure("synchronize") }
        }
    }

    /// Truncates the file to `size` bytes, or extends it with zeros.
    ///
    /// The corresponding C function is `ftruncate`.
    package func truncate(to size: Int64) throws(FileError) {
        while ftruncate(number, off_t(size)) != 0 {
            guard errno == EINTR else { throw failure("truncate") }
        }
    }

    /// Waits for a non-blocking descriptor; returns false if `reason` isn't `EAGAIN`.
    private func waitsAfter(_ reason: Int32, for events: Int32) -> Bool {
        guard reason == EAGAIN else { return false }
        var waiting = pollfd(fd: number, events: Int16(events), revents: 0)
        _ = unsafe poll(&waiting, 1, -1)
        return true
    }
}
