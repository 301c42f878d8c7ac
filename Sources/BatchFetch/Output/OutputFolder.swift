import Posix

/// The open output folder of a run, whose deletion is noticed at the end.
final class OutputFolder: Sendable {
    private let path: String
    private let folder: FileDescriptor

    /// Opens the folder; `nil` if that fails, or if its file system doesn't count names. Then
    /// nothing is noticed.
    init?(_ path: String) {
        self.path = path
        do throws(FileError) {
            let folder = try FileDescriptor.openDirectory(path)
            guard try !folder.isDeleted() else { return nil }
            self.folder = folder
        } catch {
            return nil
        }
    }

    /// What was lost; `nil` if the folder is where it was.
    var loss: BatchFailure? {
        // Later bodies may have created the folder again.
        let isDeleted = (try? folder.isDeleted()) == true
        guard isDeleted || isMissing else { return nil }
        return BatchFailure(
            .output,
            "the output folder “\(path)” was deleted or renamed during the run: bodies are lost; "
                + "repeat the command, with another journal if it has one"
        )
    }

    private var isMissing: Bool {
        do throws(FileError) {
            return try FileSystem.kind(of: path) == nil
        } catch {
            return false
        }
    }
}
