import Curl

/// Reads the input on a thread of its own and hands lines to the run while there is room.
final class InputReader: Sendable {
    private static let chunk = 64 * 1024

    private let input: BatchInput
    private let file: FileDescriptor
    private let core: RunCore

    init(_ input: BatchInput, file: consuming FileDescriptor, core: RunCore) {
        self.input = input
        self.file = file
        self.core = core
    }

    /// Opens what is to be read, so that it is known at the start whether it can be.
    ///
    /// - Throws: ``BatchFailure/Code/input`` if it can't.
    static func open(_ input: BatchInput) throws(BatchFailure) -> FileDescriptor {
        switch input.kind {
        case .standardInput:
            return .standardInput
        case .sequence:
            return FileDescriptor(number: -1, path: "sequence", isOwned: false)
        case .file(let path):
            do throws(FileError) {
                return try .openForReading(path)
            } catch {
                throw BatchFailure(
                    .input,
                    "\(error): name a file with one URL a line, or - for standard input"
                )
            }
        }
    }

    /// Reads to the end, or until the run stops.
    func run() {
        var failure: BatchFailure?
        switch input.kind {
        case .sequence(let produce):
            produce(take)
        case .file, .standardInput:
            do throws(FileError) {
                try readFile()
            } catch {
                failure = BatchFailure(.input, "the list could not be read to its end: \(error)")
            }
        }
        core.endInput(failure)
    }

    private func readFile() throws(FileError) {
        var splitter = LineSplitter()
        var lines: [InputLine] = []
        var bytes: [UInt8] = []
        while !core.isStopping {
            guard core.reader.wait(orReadable: file) else {
                core.reader.clear()
                continue
            }
            bytes.removeAll(keepingCapacity: true)
            guard try file.read(appendingTo: &bytes, upTo: Self.chunk) > 0 else {
                splitter.finish(into: &lines)
                _ = take(lines)
                return
            }
            splitter.split(bytes, into: &lines)
            guard take(lines) else { return }
            lines.removeAll(keepingCapacity: true)
        }
    }

    /// Hands lines on and waits for room; false if the run is ending.
    private func take(_ lines: [InputLine]) -> Bool {
        core.offer(lines) ? !core.isStopping : core.waitForRoom()
    }
}
