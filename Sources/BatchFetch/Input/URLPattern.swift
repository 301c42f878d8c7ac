/// A URL with ranges and alternatives that stands for many URLs.
///
///     https://example.org/{1..1000}.jpg       1 … 1000; {001..100} with leading zeros, {1..9..2} by 2
///     https://example.org/{a..f}/{x,y,z}      letters; alternatives
///     https://example.org/[001-100].jpg       as {001..100}; [1-9:2] by 2, [a-f] letters
///
/// The last part changes fastest. Other brackets are kept, as in `?a[]=1` or an IPv6 address. A
/// backslash escapes the brace or bracket after it. The URLs are made one at a time, so a pattern
/// takes no more memory than its text.
struct URLPattern: Sendable, Hashable {
    enum Part: Sendable, Hashable {
        case text(String)
        case choice([String])
        /// `first ± index * step` for an index below `count`. It has at least `width` digits.
        case numbers(first: UInt64, step: UInt64, count: UInt64, isRising: Bool, width: Int)
        case letters(first: UInt8, step: UInt8, count: UInt64, isRising: Bool)

        /// The number of texts that the part stands for.
        var count: UInt64 {
            switch self {
            case .text: 1
            case .choice(let texts): UInt64(texts.count)
            case .numbers(_, _, let count, _, _), .letters(_, _, let count, _): count
            }
        }

        /// Returns the text with this index, which must be below ``count``.
        func text(_ index: UInt64) -> String {
            switch self {
            case .text(let text):
                return text
            case .choice(let texts):
                return texts[Int(index)]
            case .numbers(let first, let step, _, let isRising, let width):
                let value = isRising ? first &+ index &* step : first &- index &* step
                return String(value).zeroPadded(to: width)
            case .letters(let first, let step, _, let isRising):
                let offset = UInt8(index) &* step
                return String(UnicodeScalar(isRising ? first &+ offset : first &- offset))
            }
        }
    }

    /// The maximum number of URLs that a pattern stands for: 2⁴⁸, the greatest ordinal of a journal.
    static let maximumCount: UInt64 = 1 << 48

    let parts: [Part]

    /// Whether the pattern stands for exactly one URL.
    var isPlain: Bool {
        parts.allSatisfy { part in
            if case .text = part { true } else { false }
        }
    }

    /// Parses a pattern.
    ///
    /// - Throws: ``BatchFailure`` for an unclosed brace, for one that holds neither a range nor
    ///   alternatives, and for more URLs than ``maximumCount``.
    init(_ text: String) throws(BatchFailure) {
        var parser = URLPatternParser(text)
        parts = try parser.parse()
        var count: UInt64 = 1
        for part in parts {
            let (product, isOverflown) = count.multipliedReportingOverflow(by: part.count)
            guard !isOverflown, product <= Self.maximumCount else { throw parser.tooMany() }
            count = product
        }
    }
}

extension URLPattern: Sequence {
    func makeIterator() -> Iterator { Iterator(parts) }

    /// Advances the parts like the wheels of a counter.
    struct Iterator: IteratorProtocol {
        private let parts: [Part]
        private var indices: [UInt64]
        private var isAtEnd = false

        init(_ parts: [Part]) {
            self.parts = parts
            indices = Array(repeating: 0, count: parts.count)
        }

        mutating func next() -> String? {
            guard !isAtEnd else { return nil }
            var text = ""
            for (part, index) in zip(parts, indices) { text += part.text(index) }
            advance()
            return text
        }

        private mutating func advance() {
            for wheel in parts.indices.reversed() {
                indices[wheel] += 1
                if indices[wheel] < parts[wheel].count { return }
                indices[wheel] = 0
            }
            isAtEnd = true
        }
    }
}
