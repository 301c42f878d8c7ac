internal import Foundation
internal import Posix

extension FileManager {
    /// Moves a file, and replaces an existing one in one step. At any time the path has one
    /// complete file, also if several files are moved there at once.
    ///
    /// A file of another file system is first copied into the destination's folder, as
    /// “.download-….part”. If the program ends in between, that copy stays, and may be removed.
    ///
    /// - Throws: `EISDIR` of `NSPOSIXErrorDomain` if the path is a folder, which stays unchanged. A
    ///   file that was already copied into the destination's folder is removed then.
    func replaceItem(at url: URL, withFileAt location: URL) throws {
        do {
            guard try !FileSystem.moved(location.path, to: url.path) else { return }
            try replaceItem(at: url, withDistantFileAt: location)
        } catch {
            guard let error = error as? FileError else { throw error }
            throw NSError(
                domain: NSPOSIXErrorDomain,
                code: Int(error.errno),
                userInfo: [
                    NSLocalizedDescriptionKey: "The file can't be moved to its destination.",
                    NSLocalizedFailureReasonErrorKey: error.description,
                    NSFilePathErrorKey: url.path,
                    NSURLErrorKey: url,
                ]
            )
        }
    }

    private func replaceItem(at url: URL, withDistantFileAt location: URL) throws {
        let name = ".download-\(UUID().uuidString).part"
        let beside = url.deletingLastPathComponent().appendingPathComponent(name)
        do {
            try moveItem(at: location, to: beside)
            try FileSystem.rename(beside.path, to: url.path)
        } catch {
            try? removeItem(at: beside)
            throw error
        }
    }
}

extension FileSystem {
    /// Renames a file within a file system. Returns false if the new path is on another file
    /// system.
    fileprivate static func moved(_ path: String, to newPath: String) throws(FileError) -> Bool {
        do throws(FileError) {
            try rename(path, to: newPath)
            return true
        } catch {
            guard error.errno == EXDEV else { throw error }
            return false
        }
    }
}
