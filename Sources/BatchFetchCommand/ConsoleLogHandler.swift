import BatchFetch
import Logging

/// Writes each event as a line to the standard error output, above the progress where that is shown.
struct ConsoleLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel = Logger.Level.info

    private let terminal = Terminal()

    func log(event: LogEvent) {
        let metadata = event.metadata.map { own in
            self.metadata.merging(own, uniquingKeysWith: { $1 })
        }
        terminal.write(
            LogLine.text(
                microseconds: Timestamp.now,
                level: event.level,
                message: event.message.description,
                metadata: metadata ?? self.metadata
            )
        )
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }
}
