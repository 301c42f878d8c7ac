import ArgumentParser
import BatchFetch

/// Parses option values, with helpful error messages.
enum OptionValue {
    static func duration(_ text: String) throws -> Duration {
        guard !DurationText.isTooLong(text) else {
            throw ValidationError("“\(text)” is too long: use at most 1,000 years (8760000h).")
        }
        guard let duration = DurationText.duration(text) else {
            throw ValidationError("“\(text)” is not a duration: use 2s, 500ms, 5m or 1h.")
        }
        return duration
    }

    static func limit(_ text: String) throws -> Duration {
        let duration = try duration(text)
        guard duration > .zero else {
            throw ValidationError("“\(text)” is not a timeout: use more than zero.")
        }
        return duration
    }

    static func rate(_ text: String) throws -> RequestRate {
        guard let rate = RequestRate(text) else {
            throw ValidationError("“\(text)” is not a rate: use 5/s, 30/m or 100/h.")
        }
        return rate
    }

    static func bytes(_ text: String) throws -> Int64 {
        guard let bytes = ByteAmount.bytes(text), bytes > 0 else {
            throw ValidationError("“\(text)” is not a number of bytes: use 500k, 20M, 1.5G.")
        }
        return bytes
    }

    /// - Throws: A `ValidationError` if there is a value below `least`.
    static func check(_ name: String, _ value: Int?, atLeast least: Int) throws {
        guard let value, value < least else { return }
        throw ValidationError("\(name) is \(value): use \(least) or more.")
    }

    /// Converts a failure of a check by the library.
    ///
    /// - Throws: A `ValidationError`, whose text doesn't repeat the value.
    static func check(_ body: () throws(BatchFailure) -> Void) throws {
        do throws(BatchFailure) {
            try body()
        } catch {
            throw ValidationError("\(error).")
        }
    }

    static func hostRule(_ text: String) throws -> HostRule {
        do throws(BatchFailure) {
            return try HostRule(parsing: text)
        } catch {
            throw ValidationError("\(error).")
        }
    }
}
