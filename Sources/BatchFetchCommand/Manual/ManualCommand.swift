import ArgumentParser
import BatchFetch
import Posix

/// `batchfetch man`: prints the manual page.
struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batchfetch man",
        abstract: "Prints the manual page, for man.",
        discussion: """
            The page lists all options of this version.

            EXAMPLES
              batchfetch man | man -l -
              batchfetch man > /usr/local/share/man/man1/batchfetch.1
            """
    )

    func execute() throws(BatchFailure) -> ExitStatus {
        let page = try ManualPage().source
        let output = FileDescriptor.standardOutput
        // Written without `print`, which loses the error of a text that is larger than its buffer.
        do throws(FileError) {
            try output.write(Array(page.utf8))
        } catch {
            // A reader that has seen what it needs may close the pipe.
            guard output.hasNoReader else { throw BatchFailure(.output, error) }
        }
        return .success
    }
}
