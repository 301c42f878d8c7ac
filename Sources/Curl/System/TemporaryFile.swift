internal import Glibc

/// A file that is written beside its target and takes the target's name once it is complete.
///
/// Whoever looks at the target sees the old content or all of the new one. A file that is let go of
/// before `commit` leaves nothing behind.
package struct TemporaryFile: ~Copyable, Sendable {
    /// Where the bytes go until `commit`.
    package let temporaryPath: String
    /// The name that the file is to have in the end.
    package let targetPath: String
    private var file: FileDescriptor?

    /// Makes an empty file in the folder of `targetPath`, with `mode` less the process' umask.
    package init(for targetPath: String, mode: UInt32 = 0o666) throws(FileError) {
        let folder = FileSystem.parent(of: targetPath).map { $0 + "/" } ?? Self.root(of: targetPath)
        while true {
            // Short whatever the target is called: a name has at most 255 bytes.
            let suffix = String(Self.nextNumber(), radix: 36)
            let path = "\(folder).\(suffix).part"
            do {
                file = try FileDescriptor.openForWriting(path, creation: .exclusive, mode: mode)
                temporaryPath = path
                self.targetPath = targetPath
                return
            } catch {
                if error.isExistingFile { continue }
                // Nobody knows the file by the name that it has until then.
                throw FileError(operation: error.operation, path: targetPath, errno: error.errno)
            }
        }
    }

    /// The same with a temporary name that is known, so that what a kill leaves of it is written over the next
    /// time; with another one while somebody else has the lock of that.
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

    /// The time since a random moment: another one for each file, as good as always. To ask the system for
    /// random numbers would be one call more for each file.
    private static func nextNumber() -> UInt64 {
        firstNumber &+ UInt64(bitPattern: MonotonicTime.now.nanoseconds)
    }

    private static let firstNumber = UInt64.random(in: .min ... .max)

    /// Takes over a file that has been written, wherever it is on the file system of `targetPath`.
    package init(adopting path: String, for targetPath: String) throws(FileError) {
        file = try FileDescriptor.openForReading(path)
        temporaryPath = path
        self.targetPath = targetPath
    }

    deinit {
        if file != nil { try? FileSystem.remove(temporaryPath) }
    }

    /// Whether it is on a file system that keeps it in memory.
    package var isInMemory: Bool {
        switch file {
        case .some(let file): file.isInMemory
        case .none: false
        }
    }

    /// Appends to what has been written.
    package borrowing func write(_ bytes: Span<UInt8>) throws(FileError) {
        try file?.write(bytes)
    }

    /// Appends to what has been written.
    package borrowing func write(_ bytes: [UInt8]) throws(FileError) {
        try file?.write(bytes.span)
    }

    /// Returns when the device has what was written.
    package borrowing func synchronize() throws(FileError) {
        try file?.synchronize()
    }

    /// Closes the file and gives it the target's name, in one step.
    ///
    /// - Parameters:
    ///   - replacing: Whether a file of that name is replaced; if not, it is an error (`EEXIST`).
    ///   - synchronizing: Whether the bytes are on the device before the name is, so that not even
    ///     a power failure leaves an empty file of that name.
    package consuming func commit(
        replacing: Bool = true,
        synchronizing: Bool = false
    ) throws(FileError) {
        _ = try finish(replacing: replacing, synchronizing: synchronizing) { nil }
    }

    /// As ``commit(replacing:synchronizing:)``, with another name where a folder has the target's.
    /// Returns the name that the file has now.
    package consuming func commit(
        fallback: @autoclosure () -> String
    ) throws(FileError) -> String {
        try finish(replacing: true, synchronizing: false, fallback: fallback)
    }

    /// Closes the file and gives it the first of these names that nothing has; a file that has one is an
    /// error (`EEXIST`) that names it, and what is no file (a folder, a link to nothing) is passed over.
    /// Returns the name.
    package consuming func commit(exclusivelyAs paths: [String]) throws(FileError) -> String {
        do throws(FileError) {
            try file.take()?.close()
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

    /// Closes the file and gives it the first name that no other file has, of those that `name` makes
    /// of 0, 1, 2 …; returns it.
    package consuming func commit(numbering name: (Int) -> String) throws(FileError) -> String {
        do throws(FileError) {
            try file.take()?.close()
            var number = try Self.firstFree(name)
            while true {
                let path = name(number)
                do throws(FileError) {
                    try FileSystem.renameExclusively(temporaryPath, to: path)
                    return path
                } catch {
                    // Somebody was faster.
                    guard error.isExistingFile else { throw error }
                    number += 1
                }
            }
        } catch {
            try? FileSystem.remove(temporaryPath)
            throw error
        }
    }

    /// A number whose name is free and the one before isn't, found in few steps though there may be
    /// many: names are given without gaps.
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

    private consuming func finish(
        replacing: Bool,
        synchronizing: Bool,
        fallback: () -> String?
    ) throws(FileError) -> String {
        do throws(FileError) {
            if synchronizing { try file?.synchronize() }
            try file.take()?.close()
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
