import Logging
import Testing

@testable import BatchFetch

@Suite struct LogLineTests {
    @Test func lineContainsTimeLevelMessageAndMetadata() {
        let line = LogLine.text(
            microseconds: 1_795_363_452_123_456,
            level: .warning,
            message: "breaker opened",
            metadata: ["seconds": "30", "host": "example.org:443"]
        )
        #expect(
            line
                == "2026-11-22T16:04:12.123456Z warning breaker opened host=example.org:443 seconds=30\n"
        )
    }

    @Test(arguments: [
        ("plain", "plain"), ("", "\"\""), ("two words", "\"two words\""),
        ("say \"so\"", "\"say \\\"so\\\"\""), ("a\nb", "\"a\\nb\""), ("a=b", "\"a=b\""),
        ("\u{1B}[31m", "\"\\u001b[31m\""), ("\u{202E}x", "\"\\u202ex\""), ("c:\\x", "\"c:\\\\x\""),
        ("größe", "größe"),
    ])
    func lineBreaksInValuesAreEscaped(value: String, text: String) {
        let line = LogLine.text(
            microseconds: 0,
            level: .info,
            message: "m",
            metadata: ["k": "\(value)"]
        )
        #expect(line == "1970-01-01T00:00:00.000000Z info m k=\(text)\n")
    }

    @Test(arguments: [
        ("https://user:secret@example.org/a?token=secret#x", "https://…@example.org/a?…"),
        ("https://example.org/a@b", "https://example.org/a@b"),
        ("https://a@b:secret@example.org/", "https://…@example.org/"),
        ("https://example.org/a#secret", "https://example.org/a#…"), ("no url", "no url"),
    ])
    func urlsAreLoggedWithoutSecrets(url: String, text: String) {
        #expect(URLText.forLog(url) == text)
    }
}
