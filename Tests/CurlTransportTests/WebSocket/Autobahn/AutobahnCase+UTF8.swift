import CurlTransport
import TestSupport

extension AutobahnCase {
    // MARK: 6: Text

    private static let kosme = Array("Hello-µ@ßöäüàá-UTF-8!!".utf8)

    static let validText: [AutobahnCase] = {
        var cases = [
            AutobahnCase("6.1.1", [.text("")], messages: [.text("")]),
            AutobahnCase(
                "6.1.2",
                [.text("", isFinal: false), .more([], isFinal: false), .more([], isFinal: true)],
                messages: [.text("")]
            ),
            AutobahnCase(
                "6.1.3",
                [
                    .text("", isFinal: false), .more(Array("middle".utf8), isFinal: false),
                    .more([], isFinal: true),
                ],
                messages: [.text("middle")]
            ),
        ]
        let text = String(decoding: kosme, as: UTF8.self)
        cases.append(AutobahnCase("6.2.1", [.text(text)], messages: [.text(text)]))
        let half = [
            ServerFrame(1, Array(kosme[..<12]), isFinal: false),
            .more(Array(kosme[12...]), isFinal: true),
        ]
        cases.append(AutobahnCase("6.2.2", half, messages: [.text(text)]))
        // Frames of one byte each, which cut through characters.
        let single = kosme.enumerated().map { index, byte in
            ServerFrame(index == 0 ? 1 : 0, [byte], isFinal: index == kosme.count - 1)
        }
        cases.append(AutobahnCase("6.2.3", single, messages: [.text(text)]))
        cases.append(AutobahnCase("6.2.4", chopping: 1, single, messages: [.text(text)]))
        for (id, valid) in validTexts {
            cases.append(AutobahnCase(id, [.text(valid)], messages: [.text(valid)]))
        }
        return cases
    }()

    private static let validTexts: [(String, String)] = {
        var texts: [(String, String)] = []
        func add(_ id: String, _ values: [UInt32]) {
            var text = ""
            text.unicodeScalars.append(contentsOf: values.compactMap(Unicode.Scalar.init))
            texts.append((id, text))
        }
        add("6.5.1", [0x3BA, 0x1F79, 0x3C3, 0x3BC, 0x3B5])
        // The first and the last character of each length, and around the surrogates.
        for (index, value) in [0x0, 0x80, 0x800, 0x10000].enumerated() {
            add("6.6.\(index + 1)", [UInt32(value)])
        }
        for (index, value) in [0x7F, 0x7FF, 0xFFFF, 0x10FFFF].enumerated() {
            add("6.7.\(index + 1)", [UInt32(value)])
        }
        for (index, value) in [0xD7FF, 0xE000, 0xFFFD, 0x10FFFF].enumerated() {
            add("6.9.\(index + 1)", [UInt32(value)])
        }
        // Noncharacters of Unicode, which are valid in UTF-8.
        for plane in UInt32(0)...16 {
            add("6.22.\(plane * 2 + 1)", [plane << 16 | 0xFFFE])
            add("6.22.\(plane * 2 + 2)", [plane << 16 | 0xFFFF])
        }
        for (index, value) in [0xFFF9, 0xFFFA, 0xFFFB, 0xFFFC, 0xFFFD, 0xFEFF].enumerated() {
            add("6.23.\(index + 1)", [UInt32(value)])
        }
        return texts
    }()

    static let invalidText: [AutobahnCase] = {
        let word = Array("κόσμε".utf8)
        let surrogate: [UInt8] = [0xED, 0xA0, 0x80]
        let beyond: [UInt8] = [0xF4, 0x90, 0x80, 0x80]
        let tail = Array("edited".utf8)
        let wrong = Outcome.failure(.invalidPayload)
        let bad = word + surrogate + tail
        var cases = [
            AutobahnCase("6.3.1", [ServerFrame(1, bad)], wrong),
            AutobahnCase(
                "6.3.2",
                bad.enumerated().map { index, byte in
                    ServerFrame(index == 0 ? 1 : 0, [byte], isFinal: index == bad.count - 1)
                },
                wrong
            ),
            // The message is incomplete but already invalid.
            AutobahnCase(
                "6.4.1",
                [
                    ServerFrame(1, word, isFinal: false), .more(beyond, isFinal: false),
                ],
                wrong
            ),
            AutobahnCase(
                "6.4.2",
                [
                    ServerFrame(1, word + beyond[..<2], isFinal: false)
                ],
                wrong
            ),
        ]
        // Even the frame is incomplete.
        var incomplete = AutobahnCase("6.4.3", [ServerFrame(1, word + beyond + tail)], wrong)
        incomplete = incomplete.cut(after: 2 + word.count + 2)
        cases.append(incomplete)
        for (index, sequence) in invalidSequences.enumerated() {
            cases.append(AutobahnCase("6.invalid.\(index + 1)", [ServerFrame(1, sequence)], wrong))
        }
        return cases
    }()

    /// The case with only the first `count` bytes sent.
    private func cut(after count: Int) -> AutobahnCase {
        AutobahnCase(id, raw: Array(wire[..<count]), outcome)
    }

    private init(_ id: String, raw: [UInt8], _ outcome: Outcome) {
        self.id = id
        pieces = [raw]
        self.outcome = outcome
    }

    /// Invalid sequences of groups 6.8 and 6.10 to 6.21.
    ///
    /// Code points beyond Unicode, stray continuation bytes, truncated characters, overlong forms,
    /// surrogates.
    private static let invalidSequences: [[UInt8]] = {
        var all: [[UInt8]] = [
            [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80],
            [0xF7, 0xBF, 0xBF, 0xBF], [0xFB, 0xBF, 0xBF, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80],
            [0x80], [0xBF], [0x80, 0xBF], [0x80, 0xBF, 0x80], [0xFE], [0xFF],
            [0xFE, 0xFE, 0xFF, 0xFF], Array(0x80...0xBF),
            [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xF0, 0x80, 0x80, 0xAF],
            [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF],
            [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xF0, 0x80, 0x80, 0x80],
            [0xED, 0xA0, 0x80], [0xED, 0xAD, 0xBF], [0xED, 0xAE, 0x80], [0xED, 0xAF, 0xBF],
            [0xED, 0xB0, 0x80], [0xED, 0xBE, 0x80], [0xED, 0xBF, 0xBF],
            [0xED, 0xA0, 0x80, 0xED, 0xB0, 0x80], [0xED, 0xAF, 0xBF, 0xED, 0xBF, 0xBF],
            // Truncated at the end of the message.
            [0xC2], [0xE0, 0xA0], [0xE1], [0xF0, 0x90, 0x80], [0xF1, 0x80],
            Array("κόσμ".utf8) + [0xCE],
        ]
        // Truncated before another character.
        for first in UInt8(0xC2)...0xF4 { all.append([first, 0x20]) }
        return all
    }()
}
