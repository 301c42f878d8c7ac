internal import HTTPSemantics
internal import HTTPTypes

/// Iterates over the field lines of a head that ``ResponseHeadParser`` has checked, as bytes.
///
/// Skips lines that aren't fields: the status line, and the blank line at the end.
struct FieldLines: Sequence, IteratorProtocol {
    /// The positions of a field's name and value.
    ///
    /// The value excludes surrounding white space. If the field is folded, it includes line ends.
    struct Field {
        let name: Range<Int>
        let value: Range<Int>
    }

    let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func next() -> Field? {
        while position < bytes.endIndex {
            let start = position
            var end = endOfLine(from: start)
            while end < bytes.endIndex, isWhiteSpace(bytes[end]) { end = endOfLine(from: end) }
            position = end
            if let field = field(in: start..<end) { return field }
        }
        return nil
    }

    private func endOfLine(from start: Int) -> Int {
        let all = bytes.span
        var index = start
        while index < all.count, all[index] != ASCII.lineFeed { index += 1 }
        return Swift.min(index + 1, all.count)
    }

    private func field(in line: Range<Int>) -> Field? {
        var colon = line.lowerBound
        while colon < line.upperBound, bytes[colon].isTokenByte { colon += 1 }
        guard colon > line.lowerBound, colon < line.upperBound, bytes[colon] == ASCII.colon
        else { return nil }
        return field(named: line.lowerBound..<colon, before: line.upperBound)
    }

    /// The field whose name ends at the colon, and whose lines end at `end`.
    private func field(named name: Range<Int>, before end: Int) -> Field {
        let all = bytes.span
        var (start, end) = (name.upperBound + 1, end)
        while start < end, isBlank(all[start]) { start += 1 }
        while end > start, isBlank(all[end - 1]) { end -= 1 }
        return Field(name: name, value: start..<end)
    }

    private func isWhiteSpace(_ byte: UInt8) -> Bool { byte == ASCII.space || byte == ASCII.tab }

    private func isBlank(_ byte: UInt8) -> Bool { isWhiteSpace(byte) || byte.isLineEnd }
}

extension FieldLines {
    /// The fields in their order, at most as many as `HTTPFields` can hold.
    var fields: HTTPFields {
        var fields = HTTPFields()
        for field in self {
            guard fields.count < ResponseHead.fieldCountLimit else { break }
            let text = String(decoding: bytes[field.name], as: UTF8.self)
            guard let name = HTTPField.Name(text) else { continue }
            fields.append(HTTPField(name: name, lenientValue: value(of: field)))
        }
        return fields
    }

    /// The value of the first field with this name, in any letter case.
    ///
    /// Lines with other beginnings are skipped without parsing, because this is called for every
    /// response.
    func firstValue(ofCanonicalName name: String) -> ArraySlice<UInt8>? {
        let wanted = name.utf8.span
        let all = bytes.span
        var start = 0
        while start + wanted.count < all.count {
            if all[start + wanted.count] == ASCII.colon, all.hasName(wanted, at: start) {
                var lines = self
                lines.position = start
                return lines.next().map { value(of: $0) }
            }
            start = endOfLine(from: start)
        }
        return nil
    }

    /// Calls `body` for each field with one of the `names`.
    ///
    /// It needs one pass over the lines. `body` gets the index in `names` and the value, and
    /// returns whether the field is the first with its name. The pass ends when all names were
    /// found.
    func forEach(
        of names: FieldNameSet,
        _ body: (_ place: Int, _ value: ArraySlice<UInt8>) -> Bool
    ) {
        var found = 0
        let all = bytes.span
        var start = 0
        while start < all.count, found < names.count {
            var colon = start
            while colon < all.count, all[colon] != ASCII.colon, all[colon] != ASCII.lineFeed {
                colon += 1
            }
            var end = endOfLine(from: colon)
            if let place = names.place(of: all.extracting(start..<colon)), colon < end {
                while end < all.count, isWhiteSpace(all[end]) { end = endOfLine(from: end) }
                let field = field(named: start..<colon, before: end)
                if all[colon] == ASCII.colon, body(place, value(of: field)) { found += 1 }
            }
            start = end
        }
    }

    /// The bytes of a value. The lines of a folded value are joined by a space.
    func value(of field: Field) -> ArraySlice<UInt8> {
        let raw = bytes[field.value]
        guard raw.contains(ASCII.lineFeed) else { return raw }
        return raw.split(separator: ASCII.lineFeed)
            .map { line in
                let trimmed = line.drop(while: isBlank)
                let count = trimmed.reversed().drop(while: isBlank).count
                return trimmed.prefix(count)
            }
            .joined(separator: CollectionOfOne(ASCII.space))
            .reduce(into: []) { $0.append($1) }[...]
    }
}

extension Span<UInt8> {
    /// Whether the bytes from `start` on are `name`, in any letter case.
    ///
    /// `name` must be in lower case.
    func hasName(_ name: Span<UInt8>, at start: Int) -> Bool {
        for index in name.indices where self[start + index].lowercasedASCII != name[index] {
            return false
        }
        return true
    }
}
