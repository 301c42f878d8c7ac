internal import HTTPSemantics
import Posix

/// The files of an archive in a folder. Closes the `.part` archives of a killed run.
///
/// Each is truncated after its last complete entry and renamed, so that the entries that the
/// results name can be found.
struct ArchiveRecovery: ArchivePlace {
    let folder: String
    /// The file name before the number; ``ending`` is the extension after it.
    let name: String
    let ending: String
    /// The bytes at the end of a closed archive.
    let trailer: [UInt8]
    /// Measures how much of a file is complete, in bytes.
    let wholeLength: @Sendable (borrowing FileDescriptor) throws(FileError) -> Int64
    /// Whether a file without a complete entry is only the beginning of one, and not damaged.
    var isTorn: @Sendable (borrowing FileDescriptor) throws(FileError) -> Bool = {
        file throws(FileError) in
        try file.size() == 0
    }

    var maximumAge: Duration? { nil }
    var endsWhenIdle: Bool { false }
    var maximumEntries: Int? { nil }

    /// How many unused numbers end the search. A removed file leaves one.
    private static let gap = 100

    func recover() throws(BatchFailure) {
        do throws(FileError) {
            try run()
        } catch {
            throw BatchFailure(.output, error)
        }
    }

    func makeFile(number: inout Int) throws(BatchFailure) -> any ArchiveTarget {
        do throws(FileError) {
            return try LocalArchiveFile(
                folder: folder,
                name: name,
                ending: ending,
                number: &number
            )
        } catch {
            throw BatchFailure(.output, error)
        }
    }

    /// Recovers all files.
    ///
    /// Skips a file that another process is writing. Removes a file with only the beginning of an
    /// entry, which no result names. A damaged file stays.
    func run() throws(FileError) {
        var number = 0
        var unused = 0
        while unused < Self.gap {
            let path = "\(folder)/\(ArchiveName.file(name, number, ending))"
            let part = path + ".part"
            let exists = try FileSystem.kind(of: path) != nil
            let isOpen = try FileSystem.kind(of: part) != nil
            unused = exists || isOpen ? 0 : unused + 1
            if isOpen, !exists { try close(part, as: path) }
            number += 1
        }
    }

    private func close(_ part: String, as path: String) throws(FileError) {
        let file = try FileDescriptor.openForUpdating(part)
        guard try file.tryLock() else { return }
        defer { file.unlock() }
        let length = try wholeLength(file)
        guard length > 0 else {
            if try isTorn(file) { try FileSystem.remove(part) }
            return
        }
        try file.truncate(to: length)
        try file.seek(to: length)
        try file.write(trailer)
        try file.synchronize()
        try FileSystem.renameExclusively(part, to: path)
    }
}

/// Measures how much of a killed run's tar file is complete.
enum TarRecovery {
    private static let block: Int64 = 512

    /// Returns the end of the last body with its metadata, in bytes. Returns 0 if there is none.
    static func wholeLength(of file: borrowing FileDescriptor) throws(FileError) -> Int64 {
        try measure(file).whole
    }

    /// Whether the file ends within a member, and all headers are valid.
    static func isTorn(_ file: borrowing FileDescriptor) throws(FileError) -> Bool {
        try !measure(file).isDamaged
    }

    private static func measure(
        _ file: borrowing FileDescriptor
    ) throws(FileError) -> (whole: Int64, isDamaged: Bool) {
        let size = try file.size()
        var offset: Int64 = 0
        var whole: Int64 = 0
        // The size from a pax header, for a member too large for ustar.
        var announced: Int64?
        while offset + block <= size {
            let header = try file.bytes(at: offset, upTo: Int(block))
            guard header.count == Int(block), header[257..<262].elementsEqual("ustar".utf8),
                let length = announced ?? octal(header[124..<135])
            else { return (whole, true) }
            guard length <= size else { break }
            let end = offset + block + (length + block - 1) / block * block
            guard end <= size else { break }
            announced = nil
            if header[156] == UInt8(ascii: "x") {
                let record = try file.bytes(at: offset + block, upTo: Int(min(length, 100)))
                announced = paxSize(record)
                guard announced != nil else { return (whole, true) }
            } else if isDescription(header[..<100]) {
                whole = end
            }
            offset = end
        }
        return (whole, false)
    }

    /// Whether the name is digits followed by `.json`.
    private static func isDescription(_ name: ArraySlice<UInt8>) -> Bool {
        let text = name.prefix { $0 != 0 }
        let digits = text.prefix(while: \.isASCIIDigit)
        return !digits.isEmpty && text.dropFirst(digits.count).elementsEqual(".json".utf8)
    }

    private static func octal(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard digits.allSatisfy(\.isASCIIDigit) else { return nil }
        return Int64(String(decoding: digits, as: UTF8.self), radix: 8)
    }

    private static func paxSize(_ record: [UInt8]) -> Int64? {
        let line = record.prefix { $0 != UInt8(ascii: "\n") }
        guard let equals = line.lastIndex(of: UInt8(ascii: "=")) else { return nil }
        let digits = line[(equals + 1)...]
        guard digits.allSatisfy(\.isASCIIDigit) else { return nil }
        return Int64(String(decoding: digits, as: UTF8.self))
    }
}

/// Measures how much of a killed run's WARC file is complete.
enum WARCRecovery {
    private static let piece = 256 * 1024

    /// Returns the end of the last complete record, in bytes. Returns 0 if there is none.
    static func wholeLength(of file: borrowing FileDescriptor) throws(FileError) -> Int64 {
        measure(file).whole
    }

    /// Whether the file ends within a record, and all of it can be decompressed.
    static func isTorn(_ file: borrowing FileDescriptor) throws(FileError) -> Bool {
        try file.seek(to: 0)
        return !measure(file).isDamaged
    }

    private static func measure(
        _ file: borrowing FileDescriptor
    ) -> (whole: Int64, isDamaged: Bool) {
        guard var decoder = GzipDecoder() else { return (0, true) }
        var bytes: [UInt8] = []
        do throws(BatchFailure) {
            while try Self.read(file, into: &bytes) > 0 {
                try decoder.decode(bytes) { _ in true }
                bytes.removeAll(keepingCapacity: true)
            }
        } catch {
            // The damaged data comes after the last complete record.
            return (decoder.endOfLastMember, true)
        }
        return (decoder.endOfLastMember, false)
    }

    private static func read(
        _ file: borrowing FileDescriptor,
        into bytes: inout [UInt8]
    ) throws(BatchFailure) -> Int {
        do throws(FileError) {
            return try file.read(appendingTo: &bytes, upTo: piece)
        } catch {
            throw BatchFailure(.input, error)
        }
    }
}
