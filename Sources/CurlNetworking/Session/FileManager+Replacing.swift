internal import Foundation

extension FileManager {
    /// Puts a file in the place of what is at a URL, which is lost only when the file is in the same folder.
    func replaceItem(at url: URL, withFileAt location: URL) throws {
        let beside = url.deletingLastPathComponent()
            .appendingPathComponent(".\(UUID().uuidString)")
        try moveItem(at: location, to: beside)
        do {
            try removeItem(at: url)
            try moveItem(at: beside, to: url)
        } catch {
            try? removeItem(at: beside)
            throw error
        }
    }
}
