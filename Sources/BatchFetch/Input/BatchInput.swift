/// The source of a batch's URLs.
///
/// The batch reads URLs as it needs them, never all at once.
public struct BatchInput: Sendable {
    enum Kind: Sendable {
        case lists([InputList])
        case sequence(@Sendable (_ take: ([InputLine]) -> Bool) -> Void)
    }

    let kind: Kind
    /// How to read the lists, and which part of them to fetch.
    public var options = Options()

    /// Reads the lines of a file, which may be a pipe.
    ///
    /// Skips blank lines and lines that begin with `#`. A line that is not an `http` or `https` URL
    /// becomes a failed result. Decompresses gzip whatever the file's name.
    public static func file(_ path: String) -> BatchInput {
        BatchInput(kind: .lists([.file(path)]))
    }

    /// Reads the lines of standard input as they arrive.
    public static let standardInput = BatchInput(kind: .lists([.standardInput]))

    /// Reads several lists in order.
    ///
    /// A name is the path of a file, `-` for standard input, or an `http` or `https` URL to fetch
    /// itself.
    public static func lists(_ names: [String]) -> BatchInput {
        BatchInput(kind: .lists(names.map { InputList($0) }))
    }

    /// The names of the lists, as ``lists(_:)`` takes them. Empty for a sequence.
    package var listNames: [String] {
        guard case .lists(let lists) = kind else { return [] }
        return lists.map(\.argument)
    }

    /// Reads the elements of a sequence.
    ///
    /// The batch iterates over the sequence on its own thread, so `next()` may block. A run doesn't
    /// end before a pending call of `next()` returns.
    public static func urls<URLs: Sequence<String> & Sendable>(_ urls: URLs) -> BatchInput {
        BatchInput(
            kind: .sequence { take in
                var iterator = urls.makeIterator()
                deliver({ iterator.next().map { .text($0) } }, to: take)
            }
        )
    }

    /// Reads requests as ``urls(_:)`` reads URLs, with all details of each.
    public static func requests<Requests: Sequence<BatchRequest> & Sendable>(
        _ requests: Requests
    ) -> BatchInput {
        BatchInput(
            kind: .sequence { take in
                var iterator = requests.makeIterator()
                deliver({ iterator.next().map { .request($0) } }, to: take)
            }
        )
    }

    /// Reads `url(0)`, `url(1)` … up to the first `nil`. The batch calls `url` on its own thread.
    public static func generated(_ url: @escaping @Sendable (Int) -> String?) -> BatchInput {
        BatchInput(
            kind: .sequence { take in
                var number = -1
                deliver(
                    {
                        number += 1
                        return url(number).map { .text($0) }
                    },
                    to: take
                )
            }
        )
    }

    /// Passes lines on in batches of 128. Stops at the end, or when `take` returns false.
    private static func deliver(
        _ next: () -> InputLine.Content?,
        to take: ([InputLine]) -> Bool
    ) {
        var number = 0
        var lines: [InputLine] = []
        while let content = next() {
            number += 1
            lines.append(InputLine(number: number, content: content))
            guard lines.count == 128 else { continue }
            guard take(lines) else { return }
            lines.removeAll(keepingCapacity: true)
        }
        _ = take(lines)
    }
}
