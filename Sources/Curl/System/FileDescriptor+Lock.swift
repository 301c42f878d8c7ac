import Glibc

extension FileDescriptor {
    /// Waits until nobody else holds the file's lock, and holds it: until ``unlock()``, or until the
    /// file is closed.
    ///
    /// Others are those who opened the file themselves, in this process or in another one, and ask for
    /// the lock too: nothing else is kept from reading and writing. The corresponding C function is
    /// `flock`.
    package func lock() throws(FileError) {
        while flock(number, LOCK_EX) != 0 {
            guard errno == EINTR else { throw failure("lock") }
        }
    }

    /// Takes the lock if nobody else has it; false if somebody does. It ends with the descriptor,
    /// however the process ends.
    package func tryLock() throws(FileError) -> Bool {
        while flock(number, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return false }
            guard errno == EINTR else { throw failure("lock") }
        }
        return true
    }

    /// Lets others have the lock.
    package func unlock() {
        _ = flock(number, LOCK_UN)
    }
}
