import Foundation

/// Logs a download's events.
///
/// The number of pieces depends on the network, so the last of several progress events is one line.
struct ProgressLog {
    private let stage: Stage
    private(set) var written: Int64 = 0
    private var expected: Int64?

    init(_ stage: Stage) {
        self.stage = stage
    }

    /// Logs the events of a download until its end or until `isEnough`.
    mutating func follow(
        _ download: Download,
        until isEnough: (DownloadEvent) -> Bool = { _ in false }
    ) async {
        for await event in download.events {
            add(event)
            if isEnough(event) {
                flush()
                return
            }
        }
    }

    private mutating func add(_ event: DownloadEvent) {
        if case .progress(let written, let expected) = event {
            if written < self.written {
                stage.log("progress went from \(self.written) to \(written)")
            }
            (self.written, self.expected) = (written, expected)
            return
        }
        flush()
        switch event {
        case .resumed(let offset, let total): stage.log("resumed at \(offset) of \(total)")
        case .saved(let bytes, let isRight): stage.log("saved \(bytes) bytes, right: \(isRight)")
        case .notSaved(let error): stage.log("not saved: \(stage.text(of: error))")
        case .ended(let error, let status): stage.log("ended \(status): \(stage.text(of: error))")
        case .progress: break
        }
    }

    private mutating func flush() {
        if let expected { stage.log("wrote \(written) of \(expected)") }
        expected = nil
    }
}
