internal import Curl
internal import Foundation

extension FileManager {
    /// Gives a file a name, in one step in the place of a file that has it: there is always the one or the
    /// other, also where several get the same name at once.
    ///
    /// - Throws: `EISDIR` of `NSPOSIXErrorDomain` where a folder has the name, which stays as it is. A file
    ///   that has come as far as its folder is gone then.
    func replaceItem(at url: URL, withFileAt location: URL) throws {
        // It may come from another file system.
        let beside = url.deletingLastPathComponent()
            .appendingPathComponent(".\(UUID().uuidString)")
        do {
            try moveItem(at: location, to: beside)
            try FileSystem.rename(beside.path, to: url.path)
        } catch {
            try? removeItem(at: beside)
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
}
