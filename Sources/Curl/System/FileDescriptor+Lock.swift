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

    /// Lets others have the lock.
    package func unlock() {
        _ = flock(number, LOCK_UN)
    }
}
