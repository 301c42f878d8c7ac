import Logging
import Synchronization
import TestSupport

/// A log handler that records its events.
final class LogRecorder: Sendable {
    private let events = Watched<[String]>([])

    /// Events as `level message key=value …`, with sorted keys.
    var lines: [String] { events.read { $0 } }

    /// Waits for a line for which `fits` returns true.
    func line(where fits: @escaping @Sendable (String) -> Bool) async throws {
        try await events.wait { $0.contains(where: fits) ? () : nil }
    }

    func logger(_ level: Logger.Level) -> Logger {
        var logger = Logger(label: "test") { _ in Handler(recorder: self) }
        logger.logLevel = level
        return logger
    }

    private struct Handler: LogHandler {
        let recorder: LogRecorder
        var metadata: Logger.Metadata = [:]
        var metadataProvider: Logger.MetadataProvider?
        var logLevel = Logger.Level.trace

        func log(event: LogEvent) {
            let fields = (event.metadata ?? [:]).sorted { $0.key < $1.key }
                .map { "\($0.key)=\($0.value)" }
            let line = (["\(event.level)", "\(event.message)"] + fields).joined(separator: " ")
            recorder.events.update { $0.append(line) }
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
    }
}
