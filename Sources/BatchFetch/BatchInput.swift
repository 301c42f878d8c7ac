/// Where the URLs of a batch come from. They are read as they are needed, never all at once.
public struct BatchInput: Sendable {
    enum Kind: Sendable {
        case lists([InputList])
        case sequence(@Sendable (_ take: ([InputLine]) -> Bool) -> Void)
    }

    let kind: Kind
    /// How lists are read, and what of them is taken.
    public var options = Options()

    /// The lines of a file, which may be a pipe. Blank lines and those that begin with `#` are
    /// skipped. A line that is no `http` or `https` URL is a failed result. A file that is
    /// compressed by gzip is decompressed, whatever it is called.
    public static func file(_ path: String) -> BatchInput {
        BatchInput(kind: .lists([.file(path)]))
    }

    /// The lines of the process' standard input, as they come.
    public static let standardInput = BatchInput(kind: .lists([.standardInput]))

    /// Several lists, one after the other: files by their paths, `-` for the standard input, and
    /// `http` or `https` URLs for themselves.
    public static func lists(_ names: [String]) -> BatchInput {
        BatchInput(kind: .lists(names.map { InputList($0) }))
    }

    /// The lists' names, as ``lists(_:)`` takes them; none for a sequence.
    package var listNames: [String] {
        guard case .lists(let lists) = kind else { return [] }
        return lists.map(\.argument)
    }

    /// The elements of a sequence, which is iterated on a thread of the batch's own, so that it
    /// may take its time. A run ends no earlier than a call of its `next()` that is under way.
    public static func urls<URLs: Sequence<String> & Sendable>(_ urls: URLs) -> BatchInput {
        BatchInput(
            kind: .sequence { take in
                var iterator = urls.makeIterator()
                deliver({ iterator.next().map { .text($0) } }, to: take)
            }
        )
    }

    /// As ``urls(_:)``, with all that may be said about a URL.
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

    /// What `url` makes of 0, 1, 2 … until it is `nil`, on a thread of the batch's own.
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

    /// Hands lines on in portions, until there are no more or nobody takes them.
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
