import ArgumentParser
import BatchFetch

/// Reads the values of options, with answers that help.
enum OptionValue {
    static func duration(_ text: String) throws -> Duration {
        guard let duration = DurationText.duration(text) else {
            throw ValidationError("“\(text)” is no time: use 2s, 500ms, 5m or 1h.")
        }
        return duration
    }

    static func limit(_ text: String) throws -> Duration {
        let duration = try duration(text)
        guard duration > .zero else {
            throw ValidationError("“\(text)” is no time limit: use more than zero.")
        }
        return duration
    }

    static func rate(_ text: String) throws -> RequestRate {
        guard let rate = RequestRate(text) else {
            throw ValidationError("“\(text)” is no rate: use 5/s, 30/m or 100/h.")
        }
        return rate
    }

    static func bytes(_ text: String) throws -> Int64 {
        guard let bytes = ByteAmount.bytes(text), bytes > 0 else {
            throw ValidationError("“\(text)” is no number of bytes: use 500k, 20M, 1.5G.")
        }
        return bytes
    }

    static func hostRule(_ text: String) throws -> HostRule {
        do throws(BatchFailure) {
            return try HostRule(parsing: text)
        } catch {
            throw ValidationError("\(error).")
        }
    }
}
