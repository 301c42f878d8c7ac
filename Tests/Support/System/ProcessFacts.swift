internal import CTestSupport
internal import Foundation
internal import Glibc

/// Facts about this process, read from /proc.
///
/// Tests run in parallel: a total count is only reliable in a test that runs alone; counts by name
/// and by port are reliable in any test.
package enum ProcessFacts {
    package static var openDescriptorCount: Int { descriptors.count }

    /// The calling thread's id.
    package static var threadID: Int32 { ts_thread_id() }

    /// The number of this process's descriptors whose link has this prefix. The link is for
    /// instance `anon_inode:[eventpoll]` or a file's path.
    package static func openDescriptorCount(linkPrefix: String) -> Int {
        descriptors.count { link(of: $0)?.hasPrefix(linkPrefix) ?? false }
    }

    /// Duplicates the descriptor of a file; nil if the file isn't open. It stands for the copy that
    /// a child holds between `fork` and `exec`. The caller closes it.
    package static func inherited(_ path: String) -> Int32? {
        descriptors.first { link(of: $0) == path }.map { dup($0) }
    }

    private static func link(of descriptor: Int32) -> String? {
        let path = "/proc/self/fd/\(descriptor)"
        return try? FileManager.default.destinationOfSymbolicLink(atPath: path)
    }

    /// How many connections this process, as the client, has open to a port.
    package static func connectionCount(toPort port: Int) -> Int {
        descriptors.count { Int(ts_peer_port($0)) == port }
    }

    package static var threadCount: Int { names(in: "/proc/self/task").count }

    package static func threadCount(namePrefix: String) -> Int {
        ThreadFacts.threads(namePrefix: namePrefix).count
    }

    /// Whether the system reports a thread's end: Linux does since 6.9.
    private static var listsThreads: Bool {
        let own = ts_open_thread(ts_thread_id())
        if own >= 0 { close(own) }
        return own >= 0
    }

    /// Waits until at most `count` threads are left whose names have this prefix.
    package static func threadsEnd(namePrefix: String = "", downTo count: Int = 0) async throws {
        // Not on a Dispatch thread: the wait itself would keep those threads alive.
        try await NativeThread.run { try waitForThreads(namePrefix: namePrefix, atMost: count) }
    }

    /// Blocks its thread. Before Linux 6.9, which reports the ends of threads, it counts them every
    /// 2 ms.
    private static func waitForThreads(namePrefix: String, atMost count: Int) throws {
        let isReported = listsThreads
        while true {
            let ids = ThreadFacts.threads(namePrefix: namePrefix).map { Int32($0) }
            guard ids.count > count else { return }
            guard isReported else {
                poll(nil, 0, 2)
                continue
            }
            let others = ids.filter { $0 != ts_thread_id() }
            guard ts_wait_for_end_of_any(others, Int32(others.count)) == 0 else {
                throw SystemError("pidfd_open", errno)
            }
        }
    }

    /// The resident memory now, in bytes.
    package static var residentBytes: Int { status("VmRSS:") }

    /// The peak of the resident memory, in bytes.
    package static var peakResidentBytes: Int { status("VmHWM:") }

    /// Resets `peakResidentBytes` to the memory that is resident now.
    package static func resetPeak() {
        try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    }

    /// The bytes that are allocated and not freed; without the free memory that the allocator
    /// retains, which `residentBytes` includes. 0 under the address sanitizer.
    package static var allocatedBytes: Int { Int(ts_allocated_bytes()) }

    /// Raises the soft limit on open descriptors to the hard limit and returns it.
    @discardableResult
    package static func raiseDescriptorLimit() -> Int { Int(ts_raise_descriptor_limit()) }

    private static var descriptors: [Int32] {
        names(in: "/proc/self/fd").compactMap { Int32($0) }
    }

    private static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    private static func status(_ field: String) -> Int {
        let text = ProcessFile.text("/proc/self/status")
        let line = text.split(separator: "\n").first { $0.hasPrefix(field) } ?? ""
        let number = line.split(whereSeparator: { " \t".contains($0) }).dropFirst().first ?? "0"
        return (Int(number) ?? 0) * 1024
    }
}
