import ArgumentParser
import Logging

/// From which level on the log is told what happens.
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
