internal import Curl
internal import Foundation

extension FileManager {
    /// Gives a file a name, in one step in the place of a file that has it: there is always the one or the
    /// other, also where several get the same name at once.
    ///
    /// A file of another file system is copied beside its place first, as “.download-….part”. Should the
    /// program end just then, that stays, and may be removed.
    ///
    /// - Throws: `EISDIR` of `NSPOSIXErrorDomain` where a folder has the name, which stays as it is. A file
    ///   that has come as far as its folder is gone then.
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
                    NSLocalizedDescriptionKey: "The file can't be put into its place.",
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
    /// Gives a file another name, if that is of the same file system; false if it isn't.
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
