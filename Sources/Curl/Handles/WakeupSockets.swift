internal import CCurl
import Glibc
internal import Synchronization

/// Marks libcurl's wakeup sockets of a multi handle as close-on-exec.
///
/// libcurl 7.88 creates the pair without `SOCK_CLOEXEC` and doesn't expose its descriptors. So they
/// are found by their effect: among the possible sockets of the process, the two that transfer as
/// many bytes as there are wakeups of the handle. A child process that another thread starts
/// meanwhile may inherit them.
enum WakeupSockets {
    /// Whether libcurl is older than 8.14.1, so that the sockets must be found.
    private static var needsSearch: Bool { !CurlVersion.current.isAtLeast(8, 14, 1) }

    /// The number of wakeups. No other socket is likely to receive so many bytes at that moment.
    private static let wakeups: Int32 = 7

    /// Serialises searches: the sockets of two handles would look alike.
    private static let search = Mutex<Void>(())

    /// Creates a multi handle, whose sockets are closed on `exec`.
    static func makeMulti() -> OpaquePointer? {
        guard needsSearch else { return unsafe ccurl_multi_init() }
        return unsafe search.withLock { _ in
            let likely = lowestUnused()
            guard let multi = unsafe ccurl_multi_init() else { return nil }
            // All descriptors are searched only if another thread has opened one meanwhile: with
            // thousands of them, that takes milliseconds.
            if unsafe !closeOnExec(multi, among: likely) {
                _ = unsafe closeOnExec(multi, among: descriptors())
            }
            return unsafe multi
        }
    }

    /// The two lowest unused descriptors, which the system assigns next. Empty if there are none.
    private static func lowestUnused() -> [Int32] {
        let first = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard first >= 0 else { return [] }
        let second = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        close(first)
        guard second >= 0 else { return [] }
        close(second)
        return [first, second]
    }

    /// Marks the sockets of `multi` if they are among `descriptors`. Returns whether they are.
    private static func closeOnExec(_ multi: OpaquePointer, among descriptors: [Int32]) -> Bool {
        let candidates = descriptors.filter(mayBeWakeupSocket)
        guard candidates.count >= 2 else { return false }
        for _ in 0..<wakeups { _ = unsafe ccurl_multi_wakeup(multi) }
        let readers = candidates.filter { count(FIONREAD, of: $0) == wakeups }
        let writers = candidates.filter { (count(TIOCOUTQ, of: $0) ?? 0) > 0 }
        guard readers.count == 1, writers.count == 1 else {
            discardWakeups(of: readers)
            return false
        }
        for descriptor in readers + writers {
            _ = fcntl(descriptor, F_SETFD, fcntl(descriptor, F_GETFD) | FD_CLOEXEC)
        }
        discardWakeups(of: readers)
        return true
    }

    /// Reads the bytes of the wakeups.
    ///
    /// Only this code reads them: no thread waits for the handle with libcurl's own functions.
    private static func discardWakeups(of readers: [Int32]) {
        guard readers.count == 1 else { return }
        var bytes = [UInt8](repeating: 0, count: Int(wakeups))
        _ = unsafe recv(readers[0], &bytes, bytes.count, Int32(MSG_DONTWAIT))
    }

    /// Whether it may be a wakeup socket.
    ///
    /// That is a non-blocking, inheritable unix stream socket that is empty in both directions.
    private static func mayBeWakeupSocket(_ descriptor: Int32) -> Bool {
        let flags = fcntl(descriptor, F_GETFD)
        guard flags >= 0, flags & FD_CLOEXEC == 0, fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0
        else { return false }
        return option(SO_DOMAIN, of: descriptor) == AF_UNIX
            && option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue)
            && count(FIONREAD, of: descriptor) == 0 && count(TIOCOUTQ, of: descriptor) == 0
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 else {
            return nil
        }
        return value
    }

    /// The number of pending bytes in one direction; nil if the system doesn't report it.
    private static func count(_ request: Int32, of descriptor: Int32) -> Int32? {
        var count: Int32 = 0
        guard unsafe ioctl(descriptor, UInt(request), &count) == 0 else { return nil }
        return count
    }

    /// The descriptors of the process; none if `/proc` isn't mounted.
    private static func descriptors() -> [Int32] {
        guard let folder = unsafe opendir("/proc/self/fd") else { return [] }
        defer { unsafe closedir(folder) }
        // An entry ends after its name. `d_name` is declared longer, so the entry must not be
        // copied.
        guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return [] }
        var numbers: [Int32] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
            if let number = unsafe Int32(String(cString: name)), unsafe number != dirfd(folder) {
                numbers.append(number)
            }
        }
        return numbers
    }
}
