import Foundation
import TestSupport

extension TemporaryDirectory {
    /// The files below a folder, without the folders.
    static func files(in folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).filter { path in
            var isFolder: ObjCBool = false
            let full = "\(folder)/\(path)"
            return FileManager.default.fileExists(atPath: full, isDirectory: &isFolder)
                && !isFolder.boolValue
        }
    }
}
