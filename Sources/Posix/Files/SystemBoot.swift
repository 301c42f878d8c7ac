/// The current boot of the system.
///
/// Written bytes that aren't durable yet survive the end of the program, but not a crash of the
/// system. So a file that another program continues needs a note of the boot in which it was written.
package enum SystemBoot {
    /// The kernel's identifier of the boot, 36 bytes (`/proc/sys/kernel/random/boot_id`, see
    /// `random(4)`); empty if it is unknown.
    package static let identifier: String = {
        let path = "/proc/sys/kernel/random/boot_id"
        guard let bytes = try? FileDescriptor.openForReading(path).bytes(at: 0, upTo: 64) else {
            return ""
        }
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }()

    /// The name of this machine (`/proc/sys/kernel/hostname`); `localhost` if it is unknown.
    package static var hostName: String {
        let path = "/proc/sys/kernel/hostname"
        guard let bytes = try? FileDescriptor.openForReading(path).bytes(at: 0, upTo: 256) else {
            return "localhost"
        }
        let name = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return name.isEmpty ? "localhost" : name
    }

    /// Whether the system still runs since the boot with this identifier; false for an unknown one.
    package static func isCurrent(_ identifier: String) -> Bool {
        !identifier.isEmpty && identifier == Self.identifier
    }
}
