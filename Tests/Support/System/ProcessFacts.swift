internal import CTestSupport
internal import Foundation
internal import Glibc

/// Facts about this process, read from /proc. Tests run in parallel, so a count of everything is
/// only good for a test that runs alone; the counts by name and by port are good in any test.
package enum ProcessFacts {
    package static var openDescriptorCount: Int { descriptors.count }

    /// The number of the thread that asks.
    package static var threadID: Int32 { ts_thread_id() }

    /// How many of this process's descriptors link to something whose name has this prefix,
    /// for instance `anon_inode:[eventpoll]` or a file's path.
    package static func openDescriptorCount(linkPrefix: String) -> Int {
        descriptors.count { link(of: $0)?.hasPrefix(linkPrefix) ?? false }
    }

    /// A second descriptor of a file that this process has open, as a child has one between `fork` and
    /// `exec`; nil if the file isn't open. To be closed by whoever asks.
    package static func inherited(_ path: String) -> Int32? {
        descriptors.first { link(of: $0) == path }.map { dup($0) }
    }

    private static func link(of descriptor: Int32) -> String? {
        let path = "/proc/self/fd/\(descriptor)"
        return try? FileManager.default.destinationOfSymbolicLink(atPath: path)
    }

    /// How many connections this process holds to a port, as their client.
    package static func connectionCount(toPort port: Int) -> Int {
        descriptors.count { Int(ts_peer_port($0)) == port }
    }

    package static var threadCount: Int { names(in: "/proc/self/task").count }

    package static func threadCount(namePrefix: String) -> Int {
        ThreadFacts.threads(namePrefix: namePrefix).count
    }

    /// Whether the system tells of a thread's end: Linux does from 6.9 on.
    private static var tellsOfThreads: Bool {
        let own = ts_open_thread(ts_thread_id())
        if own >= 0 { close(own) }
        return own >= 0
    }

    /// Waits until no more than so many threads are left whose names begin so.
    package static func threadsEnd(namePrefix: String = "", butFor count: Int = 0) async throws {
        // Not on one of Dispatch's threads, all of which would have something to do in turn.
        try await NativeThread.run { try waitForThreads(namePrefix: namePrefix, atMost: count) }
    }

    /// Blocks its thread, and keeps it busy where the system doesn't tell of their ends.
    private static func waitForThreads(namePrefix: String, atMost count: Int) throws {
        let isTold = tellsOfThreads
        while true {
            let ids = ThreadFacts.threads(namePrefix: namePrefix).map { Int32($0) }
            guard ids.count > count else { return }
            guard isTold else {
                sched_yield()
                continue
            }
            let others = ids.filter { $0 != ts_thread_id() }
            guard ts_wait_for_end_of_any(others, Int32(others.count)) == 0 else {
                throw SystemError("pidfd_open", errno)
            }
        }
    }

    /// The memory that is resident now, in bytes.
    package static var residentBytes: Int { status("VmRSS:") }

    /// The most memory that was resident at any time, in bytes.
    package static var peakResidentBytes: Int { status("VmHWM:") }

    /// Lets `peakResidentBytes` begin anew from what is resident now.
    package static func resetPeak() {
        try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    }

    /// What is allocated and not freed, in bytes: nothing of what the allocator keeps for later, which
    /// `residentBytes` has, too. 0 under the address sanitizer.
    package static var allocatedBytes: Int { Int(ts_allocated_bytes()) }

    /// Raises the soft limit on open descriptors to the hard one and returns it.
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
