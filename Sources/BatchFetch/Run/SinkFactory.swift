import Curl

/// Makes the sinks that the configuration asks for.
struct SinkFactory: Sendable {
    private let output: BatchOutput
    private let disk: DiskThreads?

    /// Makes the output folder and starts the disk threads, where they are needed.
    init(_ output: BatchOutput) throws(BatchFailure) {
        self.output = output
        guard case .directory(let path) = output.kind else {
            disk = nil
            return
        }
        do throws(FileError) {
            try FileSystem.makeDirectory(path)
        } catch {
            throw BatchFailure(
                .output,
                "\(error): name a folder that exists or can be made"
            )
        }
        do throws(SystemFailure) {
            disk = try DiskThreads()
        } catch {
            throw BatchFailure(.resources, "\(error)")
        }
    }

    func sink(for target: FetchTarget) -> any BodySink {
        switch output.kind {
        case .discard:
            return DiscardSink.shared
        case .memory(let limit):
            return MemorySink(limit: limit)
        case .inspected(let inspector):
            return InspectorSink(inspector(target))
        case .directory(let path):
            guard let disk else { return DiscardSink.shared }
            return FileSink(folder: path, name: SafeName(target), disk: disk)
        }
    }

    /// Waits for what is being written.
    func end() { disk?.stop() }
}
