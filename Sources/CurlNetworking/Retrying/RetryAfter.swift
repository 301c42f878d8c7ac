internal import CurlURLSession
internal import Foundation

/// Reads a `Retry-After` field (RFC 9110, 10.2.3): seconds, or a date.
enum RetryAfter {
    /// How many seconds from `now` a response asks to wait; `nil` if it doesn't say, or says nothing that can
    /// be read. A date that has passed is 0.
    static func delay(of response: URLResponse?, now: Date = Date()) -> TimeInterval? {
        (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Retry-After")
            .flatMap { delay(from: $0, now: now) }
    }

    static func delay(from text: String, now: Date) -> TimeInterval? {
        let text = text.trimmingCharacters(in: .whitespaces)
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // Any number of digits: a cap makes something of it.
            return TimeInterval(text)
        }
        return HTTPDate.date(from: text, near: now).map { max(0, $0.timeIntervalSince(now)) }
    }
}
