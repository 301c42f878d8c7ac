internal import Glibc

/// A file that is written next to its target and renamed when it is complete.
///
/// Readers of the target see the old content or the complete new one. A file that is destroyed
/// before `commit` is removed.
package struct TemporaryFile: ~Copyable, Sendable {
    /// The path of the file until `commit`.
    package let temporaryPath: String
    /// The final path of the file.
    package let targetPath: String
    private var file: FileDescriptor?

    /// Creates an empty file in the folder of `targetPath`, with `mode` less the process' umask.
    package init(for targetPath: String, mode: UInt32 = 0o666) throws(FileError) {
        let folder = FileSystem.parent(of: targetPath).map { $0 + "/" } ?? Self.root(of: targetPath)
        while true {
            // Short for any target, because a name has at most 255 bytes.
            let suffix = String(Self.nextNumber(), radix: 36)
            let path = "\(folder).\(suffix).part"
            do {
                file = try FileDescriptor.openForWriting(path, creation: .exclusive, mode: mode)
                temporaryPath = path
                self.targetPath = targetPath
                return
            } catch {
                if error.isExistingFile { continue }
                // Users don't know the temporary name, so the error has the target's path.
                throw FileError(operation: error.operation, path: targetPath, errno: error.errno)
            }
        }
    }

    /// Creates the file with a fixed temporary name.
    ///
    /// It overwrites a leftover of a killed process. Uses another name while another owner has the
    /// lock of that file.
    package init(
        for targetPath: String,
        named name: String,
        mode: UInt32 = 0o666
    ) throws(FileError) {
        let folder = FileSystem.parent(of: targetPath).map { $0 + "/" } ?? Self.root(of: targetPath)
        let path = folder + name
        let known = try FileDescriptor.openForUpdating(path, mode: mode, followsLinks: false)
        guard (try? known.tryLock()) ?? false, try FileSystem.identity(of: path) == known.identity()
        else {
            try self.init(for: targetPath, mode: mode)
            return
        }
        try known.truncate(to: 0)
        self.init(known, at: path, for: targetPath)
    }

    private init(
        _ file: consuming FileDescriptor,
        at temporaryPath: String,
        for targetPath: String
    ) {
        self.file = consume file
        self.temporaryPath = temporaryPath
        self.targetPath = targetPath
    }

    /// The time since a random moment, which differs for practically every file.
    ///
    /// Random numbers from the system would cost another system call for each file.
    private static func nextNumber() -> UInt64 {
        firstNumber &+ UInt64(bitPattern: MonotonicTime.now.nanoseconds)
    }

    private static let firstNumber = UInt64.random(in: .min ... .max)

    /// Takes over an existing file on the file system of `targetPath`.
    package init(adopting path: String, for targetPath: String) throws(FileError) {
        file = try FileDescriptor.openForReading(path)
        temporaryPath = path
        self.targetPath = targetPath
    }

    deinit {
        if file != nil { try? FileSystem.remove(temporaryPath) }
    }

    /// Whether the file's file system is in memory.
    package var isInMemory: Bool {
        switch file {
        case .some(let file): file.isInMemory
        case .none: false
        }
    }

    /// Appends bytes to the file.
    package borrowing func write(_ bytes: Span<UInt8>) throws(FileError) {
        try file?.write(bytes)
    }

    /// Appends bytes to the file.
    package borrowing func write(_ bytes: [UInt8]) throws(FileError) {
        try file?.write(bytes.span)
    }

    /// Sets the time of the last change of the content, in seconds since 1970.
    package borrowing func setModificationTime(_ seconds: Int64) throws(FileError) {
        try file?.setModificationTime(seconds)
    }

    /// Waits until the device has stored the written data.
    package borrowing func synchronize() throws(FileError) {
        try file?.synchronize()
    }

    /// Closes the file and renames it to the target atomically.
    ///
    /// - Parameters:
    ///   - replacing: Whether an existing file is replaced. If not, it is an error (`EEXIST`).
    ///   - synchronizing: Whether the content is stored on the device before the name, so that even
    ///     a power failure leaves no empty file with that name.
    package consuming func commit(
        replacing: Bool = true,
        synchronizing: Bool = false
    ) throws(FileError) {
        _ = try finish(replacing: replacing, synchronizing: synchronizing) { nil }
    }

    /// Like ``commit(replacing:synchronizing:)``, but uses `fallback` if the target is a folder.
    ///
    /// Returns the final path.
    package consuming func commit(
        fallback: @autoclosure () -> String
    ) throws(FileError) -> String {
        try finish(replacing: true, synchronizing: false, fallback: fallback)
    }

    /// Closes the file and renames it to the first free one of `paths`. Returns that path.
    ///
    /// An existing regular file is an error (`EEXIST`) with its path. Other existing names (a
    /// folder, a dangling link) are skipped.
    package consuming func commit(exclusivelyAs paths: [String]) throws(FileError) -> String {
        do throws(FileError) {
            try closeFile()
            var failure = FileError(operation: "rename to", path: targetPath, errno: EEXIST)
            for path in paths {
                do throws(FileError) {
                    try FileSystem.renameExclusively(temporaryPath, to: path)
                    return path
                } catch {
                    guard error.isExistingFile else { throw error }
                    if try FileSystem.kind(of: path) == .regular { throw error }
                    failure = FileError(operation: error.operation, path: path, errno: EISDIR)
                }
            }
            throw failure
        } catch {
            try? FileSystem.remove(temporaryPath)
            throw error
        }
    }

    /// Closes the file and renames it to the first free name.
    ///
    /// `name` is called with 0, 1, 2 … Returns the name.
    package consuming func commit(numbering name: (Int) -> String) throws(FileError) -> String {
        do throws(FileError) {
            try closeFile()
            var number = try Self.firstFree(name)
            while true {
                let path = name(number)
                do throws(FileError) {
                    try FileSystem.renameExclusively(temporaryPath, to: path)
                    return path
                } catch {
                    // Another process has created it meanwhile.
                    guard error.isExistingFile else { throw error }
                    number += 1
                }
            }
        } catch {
            try? FileSystem.remove(temporaryPath)
            throw error
        }
    }

    /// A free number whose predecessor is taken, found by binary search.
    ///
    /// Numbers are assigned without gaps.
    private static func firstFree(_ name: (Int) -> String) throws(FileError) -> Int {
        guard try FileSystem.kind(of: name(0)) != nil else { return 0 }
        var taken = 0
        var free = 1
        while try FileSystem.kind(of: name(free)) != nil {
            taken = free
            free *= 2
        }
        while free - taken > 1 {
            let middle = taken + (free - taken) / 2
            if try FileSystem.kind(of: name(middle)) == nil {
                free = middle
            } else {
                taken = middle
            }
        }
        return free
    }

    // Not inlined, so that the optimiser doesn't destructure a value whose deinit must still run:
    // the verifier of .ci/verify-sil fails in that case (swiftlang/swift issue 85521).
    @inline(never)
    private mutating func closeFile() throws(FileError) {
        try file.take()?.close()
    }

    private consuming func finish(
        replacing: Bool,
        synchronizing: Bool,
        fallback: () -> String?
    ) throws(FileError) -> String {
        do throws(FileError) {
            if synchronizing { try file?.synchronize() }
            try closeFile()
            return try rename(replacing: replacing, fallback: fallback)
        } catch {
            try? FileSystem.remove(temporaryPath)
            throw error
        }
    }

    private borrowing func rename(
        replacing: Bool,
        fallback: () -> String?
    ) throws(FileError) -> String {
        do throws(FileError) {
            try Self.rename(temporaryPath, to: targetPath, replacing: replacing)
            return targetPath
        } catch {
            guard error.isNameTaken, let fallback = fallback() else { throw error }
            try Self.rename(temporaryPath, to: fallback, replacing: replacing)
            return fallback
        }
    }

    private static func rename(
        _ path: String,
        to newPath: String,
        replacing: Bool
    ) throws(FileError) {
        if replacing {
            try FileSystem.rename(path, to: newPath)
        } else {
            try FileSystem.renameExclusively(path, to: newPath)
        }
    }

    private static func root(of path: String) -> String { path.hasPrefix("/") ? "/" : "" }
}
