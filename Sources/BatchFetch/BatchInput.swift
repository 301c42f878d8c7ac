/// Where the URLs of a batch come from. They are read as they are needed, never all at once.
public struct BatchInput: Sendable {
    enum Kind: Sendable {
        case file(String)
        case standardInput
        case sequence(@Sendable (_ take: ([InputLine]) -> Bool) -> Void)
    }

    let kind: Kind

    /// The lines of a file, which may be a pipe. Blank lines and those that begin with `#` are
    /// skipped. A line that is no `http` or `https` URL is a failed result.
    public static func file(_ path: String) -> BatchInput { BatchInput(kind: .file(path)) }

    /// The lines of the process' standard input, as they come.
    public static let standardInput = BatchInput(kind: .standardInput)

    /// The elements of a sequence, which is iterated on a thread of the batch's own, so that it
    /// may take its time. A run ends no earlier than a call of its `next()` that is under way.
    public static func urls<URLs: Sequence<String> & Sendable>(_ urls: URLs) -> BatchInput {
        BatchInput(
            kind: .sequence { take in
                var iterator = urls.makeIterator()
                deliver({ iterator.next() }, to: take)
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
                        return url(number)
                    },
                    to: take
                )
            }
        )
    }

    /// Hands lines on in portions, until there are no more or nobody takes them.
    private static func deliver(_ next: () -> String?, to take: ([InputLine]) -> Bool) {
        var number = 0
        var lines: [InputLine] = []
        while let url = next() {
            number += 1
            lines.append(InputLine(number: number, content: .text(url)))
            guard lines.count == 128 else { continue }
            guard take(lines) else { return }
            lines.removeAll(keepingCapacity: true)
        }
        _ = take(lines)
    }
}
