internal import Foundation

/// Which start of the system this is. What a program has written and not made durable is still there after
/// the program has been killed, but not after the system has.
enum KernelStart {
    /// A text that no other start has; empty where it can't be known.
    static let identifier: String = {
        let path = URL(fileURLWithPath: "/proc/sys/kernel/random/boot_id")
        let text = try? String(contentsOf: path, encoding: .utf8)
        return text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    }()
}
