internal import HTTPSemantics
import Posix

/// Where the files of an archive go: to a folder, or to object storage.
///
/// Used by one thread at a time, which may block.
protocol ArchivePlace: Sendable {
    /// What the names of all files begin and end with.
    var name: String { get }
    var ending: String { get }
    /// The bytes at the end of a closed archive.
    var trailer: [UInt8] { get }
    /// How long a file may be written after its first body; `nil` for any time.
    var maximumAge: Duration? { get }
    /// Whether a file ends when no other body is expected soon.
    var endsWhenIdle: Bool { get }
    /// The maximum number of bodies in a file; `nil` for any number.
    var maximumEntries: Int? { get }

    /// Ends what a killed run has left. Called once, before the first file.
    func recover() throws(BatchFailure)

    /// Creates the next file.
    ///
    /// - Parameter number: In: the first number to try. Out: the number that was used.
    func makeFile(number: inout Int) throws(BatchFailure) -> any ArchiveTarget
}

/// The destination of one file of an archive.
///
/// A file that is released without ``close()`` has no final name.
protocol ArchiveTarget: AnyObject, Sendable {
    /// The final name.
    var name: String { get }

    /// Appends bytes.
    func write(_ bytes: [UInt8]) throws(FileError)

    /// Ends the file, and gives it its final name.
    func close() throws(FileError)
}

/// The name of an archive's file.
enum ArchiveName {
    /// Returns `shard-00017.tar`.
    static func file(_ name: String, _ number: Int, _ ending: String) -> String {
        "\(name)-\(String(number).zeroPadded(to: 5)).\(ending)"
    }

    /// Returns the number in a name; `nil` if it is none of an archive's file.
    static func number(of file: String, _ name: String, _ ending: String) -> Int? {
        guard file.hasPrefix("\(name)-"), file.hasSuffix(".\(ending)") else { return nil }
        let digits = file.dropFirst(name.count + 1).dropLast(ending.count + 1)
        guard let number = Int(digits), Self.file(name, number, ending) == file else { return nil }
        return number
    }

    /// Returns `shard-worker` for `shard` and the label `worker`.
    ///
    /// A character that isn't safe in a name becomes `_`.
    static func labelled(_ name: String, _ label: String?) -> String {
        guard let label else { return name }
        let safe = label.utf8.map { byte in
            byte.isASCIILetter || byte.isASCIIDigit || "-._".utf8.contains(byte)
                ? byte : UInt8(ascii: "_")
        }
        return "\(name)-\(String(decoding: safe, as: UTF8.self))"
    }
}
