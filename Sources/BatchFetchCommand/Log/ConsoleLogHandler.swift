import ArgumentParser
import BatchFetch
import Logging

/// The minimum level of logged events.
enum LogLevel: String, ExpressibleByArgument, CaseIterable, Sendable {
    case trace, debug, info, notice, warning, error

    /// A logger that writes to the standard error output.
    var logger: Logger {
        let level = Logger.Level(rawValue: rawValue) ?? .info
        var logger = Logger(label: "batchfetch") { _ in ConsoleLogHandler() }
        logger.logLevel = level
        return logger
    }
}

/// Writes log events to the standard error output, above the progress.
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
