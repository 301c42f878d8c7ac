import Posix

/// Identifies one list by its size, its time and its content.
struct ListIdentity: Sendable, Hashable {
    private static let sample = 64 * 1024
    private static let chunk = 256 * 1024

    var path: String
    /// The size in bytes.
    var size: Int64
    /// The last modification, in nanoseconds since 1970.
    var modified: Int64
    /// A hash of the first and last 64 KiB.
    var hash: UInt64
    /// A hash of the first ``size`` bytes; `nil` if they weren't read.
    var checksum: UInt64?

    init(path: String, size: Int64, modified: Int64, hash: UInt64, checksum: UInt64?) {
        self.path = path
        self.size = size
        self.modified = modified
        self.hash = hash
        self.checksum = checksum
    }

    /// Identifies a file, without reading it completely.
    ///
    /// - Throws: ``BatchFailure/Code/input`` if the file is not a regular one, or can't be read.
    init(of path: String) throws(BatchFailure) {
        self.path = path
        let isPlain: Bool
        do throws(FileError) {
            let file = try FileDescriptor.openForReading(path, waitsForWriter: false)
            isPlain = try file.kind() == .regular
            let size = isPlain ? try file.size() : 0
            let first = isPlain ? try file.bytes(at: 0, upTo: Self.sample) : []
            let start = max(0, size - Int64(Self.sample))
            let last = isPlain ? try file.bytes(at: start, upTo: Self.sample) : []
            self.size = size
            modified = try file.modificationTime()
            hash = StableHash.mixed(StableHash.hash(first)) ^ StableHash.hash(last)
        } catch {
            throw Self.failure(error)
        }
        guard isPlain else {
            throw BatchFailure(
                .input,
                "“\(path)” is not a regular file, which a journal needs: name one, or read standard "
                    + "input with --spool"
            )
        }
    }

    private static func failure(_ error: FileError) -> BatchFailure {
        BatchFailure(.input, "\(error): name a file with one URL a line")
    }

    /// Reads the file up to ``size``, and returns the hash.
    ///
    /// - Throws: ``BatchFailure/Code/input`` if the file can't be read.
    func currentChecksum() throws(BatchFailure) -> UInt64 {
        do throws(FileError) {
            return try Self.checksum(of: .openForReading(path), upTo: size)
        } catch {
            throw Self.failure(error)
        }
    }

    /// Hashes the CRC-32 of each 256 KiB, so that the file is read at the speed of zlib.
    private static func checksum(
        of file: borrowing FileDescriptor,
        upTo size: Int64
    ) throws(FileError) -> UInt64 {
        var hash = FNV1a()
        var offset: Int64 = 0
        while offset < size {
            let count = Int(min(Int64(chunk), size - offset))
            let bytes = try file.bytes(at: offset, upTo: count)
            hash.add(UInt64(CRC32.checksum(bytes.span)))
            guard bytes.count == count else { break }
            offset += Int64(count)
        }
        hash.add(UInt64(size))
        return StableHash.mixed(hash.value)
    }

    /// The result of comparing a list with the one of an earlier run.
    enum Comparison: Equatable {
        /// It is the same, or has new lines at its end. The value is the hash of all of it.
        case same(checksum: UInt64?)
        /// It differs, as the text says.
        case changed(String)
    }

    /// Compares the file with the list of an earlier run.
    ///
    /// - Parameter isLast: Whether no other list follows. New lines of a list change the ordinals of
    ///   the lists after it.
    /// - Throws: ``BatchFailure/Code/input`` if the file can't be read.
    func comparison(
        with earlier: ListIdentity,
        isLast: Bool
    ) throws(BatchFailure) -> Comparison {
        if size == earlier.size, modified == earlier.modified, hash == earlier.hash {
            return .same(checksum: earlier.checksum)
        }
        guard size >= earlier.size else {
            return .changed(
                "the list “\(path)” had \(earlier.size) bytes when it was started, and now has "
                    + "\(size)"
            )
        }
        do throws(FileError) {
            let file = try FileDescriptor.openForReading(path)
            let beginning = try Self.checksum(of: file, upTo: earlier.size)
            guard beginning == earlier.checksum else {
                return .changed("the content of “\(path)” has changed since it was started")
            }
            if size == earlier.size { return .same(checksum: beginning) }
            if let reason = try objection(toGrowthOf: file, after: earlier.size, isLast: isLast) {
                return .changed(reason)
            }
            return .same(checksum: try Self.checksum(of: file, upTo: size))
        } catch {
            throw Self.failure(error)
        }
    }

    /// Why the bytes after `end` aren't just new lines; `nil` if they are.
    private func objection(
        toGrowthOf file: borrowing FileDescriptor,
        after end: Int64,
        isLast: Bool
    ) throws(FileError) -> String? {
        guard isLast else {
            return "“\(path)” has new lines, which change the numbers of the lists after it: write "
                + "them to a list of their own"
        }
        guard end > 0 else { return nil }
        if try file.bytes(at: 0, upTo: 2) == [0x1F, 0x8B] {
            return "the compressed list “\(path)” has grown: write new lines to a list of their own"
        }
        let newline = UInt8(ascii: "\n")
        let first = try file.bytes(at: end, upTo: 1).first
        guard first != UInt8(ascii: " "), first != UInt8(ascii: "\t") else {
            return
                "the new lines of “\(path)” begin with white space, so they may belong to its last "
                + "entry: write them to a list of their own"
        }
        let border = try file.bytes(at: end - 1, upTo: 2)
        guard border.first == newline || border.last == newline else {
            return "the last line of “\(path)” has changed since it was started"
        }
        return nil
    }
}
