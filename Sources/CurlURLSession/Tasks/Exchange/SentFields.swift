internal import HTTPTypes

/// Header fields to add to `HTTPFields`, which can do that only with a generic collection.
///
/// The iterator of an array takes several times as long there as this one.
struct SentFields: Collection {
    struct Iterator: IteratorProtocol {
        fileprivate let list: [HTTPField]
        private var index = 0

        fileprivate init(_ list: [HTTPField]) {
            self.list = list
        }

        mutating func next() -> HTTPField? {
            guard index < list.count else { return nil }
            defer { index += 1 }
            return list[index]
        }
    }

    let list: [HTTPField]

    init(_ list: [HTTPField]) {
        self.list = list
    }

    var startIndex: Int { 0 }
    var endIndex: Int { list.count }

    subscript(position: Int) -> HTTPField { list[position] }

    func index(after index: Int) -> Int { index + 1 }

    func makeIterator() -> Iterator { Iterator(list) }
}
