internal import Foundation
internal import Glibc

/// Facts about one thread of this process, read from /proc.
package struct ThreadFacts: Sendable {
    /// Time that the thread has spent on a processor.
    package let nanoseconds: Int
    /// How often the thread went to sleep by itself, and so was woken.
    package let switches: Int
    /// The signals that the thread blocks: bit 0 is signal 1.
    package let blockedSignals: UInt64
    /// The bytes that the thread has given to `write` and its like.
    package let bytesWritten: Int

    package init(thread: Int) {
        let folder = "/proc/self/task/\(thread)"
        let schedule = ProcessFile.text(folder + "/schedstat").split(separator: " ")
        nanoseconds = schedule.first.flatMap { Int($0) } ?? 0
        let fields = Self.fields(folder + "/status")
        switches = fields["voluntary_ctxt_switches"].flatMap { Int($0) } ?? 0
        blockedSignals = fields["SigBlk"].flatMap { UInt64($0, radix: 16) } ?? 0
        bytesWritten = Self.fields(folder + "/io")["wchar"].flatMap { Int($0) } ?? 0
    }

    /// Lines of a name, a colon and a value.
    private static func fields(_ path: String) -> [Substring: Substring] {
        var fields: [Substring: Substring] = [:]
        for line in ProcessFile.text(path).split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { fields[parts[0]] = parts[1].drop { " \t".contains($0) } }
        }
        return fields
    }

    /// Time that the calling thread has spent on a processor.
    package static var nanosecondsOfThisThread: Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// The threads whose name begins so.
    package static func threads(namePrefix: String) -> [Int] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return names.compactMap { Int($0) }.sorted().filter { thread in
            // One that has just ended has no name.
            let name = ProcessFile.text("/proc/self/task/\(thread)/comm")
            return !name.isEmpty && name.hasPrefix(namePrefix)
        }
    }
}
