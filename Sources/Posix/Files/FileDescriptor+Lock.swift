import Glibc

extension FileDescriptor {
    /// Waits for the file's lock and takes it.
    ///
    /// The lock lasts until ``unlock()`` or until the file is closed. It excludes only those that
    /// opened the file separately, in this process or in another one, and also request the lock. It
    /// doesn't prevent reading or writing. The corresponding C function is `flock`.
    package func lock() throws(FileError) {
        while flock(number, LOCK_EX) != 0 {
            guard errno == EINTR else { throw failure("lock") }
        }
    }

    /// Takes the lock, unless another owner has it; returns whether it was taken.
    ///
    /// The lock ends with the descriptor, however the process ends.
    package func tryLock() throws(FileError) -> Bool {
        while flock(number, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return false }
            guard errno == EINTR else { throw failure("lock") }
        }
        return true
    }

    /// Releases the lock.
    package func unlock() {
        _ = flock(number, LOCK_UN)
    }
}
