internal import Posix

/// Checks that several options share. `option` is the property's path, for the error.
enum OptionCheck {
    /// Rejects characters that would end the text in C or in HTTP.
    static func text(_ value: String, _ option: String) throws(InvalidOption) {
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw InvalidOption(
                option,
                "has a control character (such as a line break or NUL); remove it"
            )
        }
    }

    static func filledText(_ value: String, _ option: String) throws(InvalidOption) {
        guard !value.isEmpty else { throw InvalidOption(option, "is empty; give a value or nil") }
        try text(value, option)
    }

    /// Milliseconds for libcurl, rounded up and limited to 24 days, its maximum.
    static func milliseconds(
        _ duration: Duration,
        _ option: String
    ) throws(InvalidOption) -> Int {
        guard duration > .zero else {
            throw InvalidOption(
                option,
                "is \(duration); give a positive duration, or nil for none"
            )
        }
        return min(duration.wholeMilliseconds, Int(Int32.max))
    }

    static func port(_ port: Int, _ option: String) throws(InvalidOption) {
        guard (1...65535).contains(port) else {
            throw InvalidOption(option, "is \(port); give a port from 1 to 65535")
        }
    }

    /// A positive number of bytes per second.
    static func speed(_ value: Int64, _ option: String) throws(InvalidOption) {
        guard value > 0 else {
            throw InvalidOption(
                option,
                "is \(value); give a positive number of bytes per second, or nil for no limit"
            )
        }
    }

    /// A host in the form of a URL: an IPv6 address gets brackets.
    static func host(_ host: String, _ option: String) throws(InvalidOption) -> String {
        switch NumericAddress.kind(of: host) {
        case .ipv4: return host
        case .ipv6: return "[\(host)]"
        case nil: break
        }
        guard !host.isEmpty, host.utf8.count <= 253, host.utf8.allSatisfy(isNameByte) else {
            throw InvalidOption(
                option,
                "is neither a host's name in ASCII nor an IP address without brackets"
            )
        }
        return host
    }

    /// Checks that a file can be read and isn't a folder or a pipe. Blocks on the device.
    static func readableFile(_ path: String, _ option: String) throws(InvalidOption) {
        try filledText(path, option)
        do throws(FileError) {
            // Opening a pipe would block until its other end is opened.
            if try FileSystem.kind(of: path) != .other {
                _ = try FileDescriptor.openForReading(path)
                return
            }
        } catch {
            throw unreadable(path, option, error)
        }
        throw InvalidOption(option, "is “\(path)”, which is no file")
    }

    /// Checks that a path is a folder. Blocks on the device.
    static func folder(_ path: String, _ option: String) throws(InvalidOption) {
        try filledText(path, option)
        let kind: FileDescriptor.Kind?
        do throws(FileError) {
            kind = try FileSystem.kind(of: path)
        } catch {
            throw unreadable(path, option, error)
        }
        guard kind == .directory else {
            throw InvalidOption(
                option,
                "is “\(path)”, which \(kind == nil ? "doesn't exist" : "is no folder")"
            )
        }
    }

    private static func unreadable(
        _ path: String,
        _ option: String,
        _ error: FileError
    ) -> InvalidOption {
        InvalidOption(
            option,
            "is “\(path)”, which can't be read: \(error.reason)",
            errno: error.errno
        )
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
