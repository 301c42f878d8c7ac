internal import Foundation
internal import Glibc

/// Facts about one thread of this process, read from /proc.
package struct ThreadFacts: Sendable {
    /// The thread's processor time.
    package let nanoseconds: Int
    /// The voluntary context switches: how often the thread went to sleep, and so was woken.
    package let switches: Int
    /// The signals that the thread blocks: bit 0 is signal 1.
    package let blockedSignals: UInt64
    /// The bytes that the thread has passed to `write` and similar calls.
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

    /// Parses lines of a name, a colon and a value.
    private static func fields(_ path: String) -> [Substring: Substring] {
        var fields: [Substring: Substring] = [:]
        for line in ProcessFile.text(path).split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { fields[parts[0]] = parts[1].drop { " \t".contains($0) } }
        }
        return fields
    }

    /// The calling thread's processor time, in nanoseconds.
    package static var nanosecondsOfThisThread: Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// The threads whose names have this prefix.
    package static func threads(namePrefix: String) -> [Int] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return names.compactMap { Int($0) }.sorted().filter { thread in
            // A thread that has just ended has no name.
            let name = ProcessFile.text("/proc/self/task/\(thread)/comm")
            return !name.isEmpty && name.hasPrefix(namePrefix) && !isEnding(thread)
        }
    }

    /// Whether a thread has begun to end: the kernel lists it for a moment after it has been
    /// joined.
    private static func isEnding(_ thread: Int) -> Bool {
        let text = ProcessFile.text("/proc/self/task/\(thread)/stat")
        // The name may contain any characters; its last bracket ends it. The flags are the eighth
        // field counted from there.
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        let exiting: UInt64 = 4
        return fields.count > 7 && (UInt64(fields[7]) ?? 0) & exiting != 0
    }
}
