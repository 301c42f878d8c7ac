/// A URL with ranges and alternatives, which stands for many URLs that are made one at a time.
///
///     https://example.org/{1..1000}.jpg       1 … 1000; {001..100} with leading zeros, {1..9..2} by 2
///     https://example.org/{a..f}/{x,y,z}      letters; alternatives
///     https://example.org/[001-100].jpg       as {001..100}; [1-9:2] by 2, [a-f] letters
///
/// The last part turns fastest. Other brackets stay as they are: `?a[]=1`, an IPv6 address. A
/// backslash makes the brace or bracket after it plain. However many URLs there are, a pattern
/// takes no more memory than its text.
struct URLPattern: Sendable, Hashable {
    enum Part: Sendable, Hashable {
        case text(String)
        case choice([String])
        /// `first + index * step` for an index below `count`, with so many digits at least.
        case numbers(first: UInt64, step: UInt64, count: UInt64, isRising: Bool, width: Int)
        case letters(first: UInt8, step: UInt8, count: UInt64, isRising: Bool)

        /// How many texts it stands for.
        var count: UInt64 {
            switch self {
            case .text: 1
            case .choice(let texts): UInt64(texts.count)
            case .numbers(_, _, let count, _, _), .letters(_, _, let count, _): count
            }
        }

        /// The text of that number, which is below ``count``.
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
                let way = UInt8(index) &* step
                return String(UnicodeScalar(isRising ? first &+ way : first &- way))
            }
        }
    }

    let parts: [Part]

    /// Whether it stands for one URL only.
    var isPlain: Bool {
        parts.allSatisfy { part in
            if case .text = part { true } else { false }
        }
    }

    /// - Throws: ``BatchFailure`` for a brace that isn't closed, or that holds neither a range nor
    ///   alternatives.
    init(_ text: String) throws(BatchFailure) {
        var parser = URLPatternParser(text)
        parts = try parser.parse()
    }
}

extension URLPattern: Sequence {
    func makeIterator() -> Iterator { Iterator(parts) }

    /// Turns the parts like the wheels of a counter.
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
            turn()
            return text
        }

        private mutating func turn() {
            for wheel in parts.indices.reversed() {
                indices[wheel] += 1
                if indices[wheel] < parts[wheel].count { return }
                indices[wheel] = 0
            }
            isAtEnd = true
        }
    }
}
