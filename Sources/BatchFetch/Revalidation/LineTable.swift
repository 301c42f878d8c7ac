/// Where the lines about many millions of URLs are: 16 bytes for each. Pure.
struct LineTable: Sendable {
    private struct Place: Sendable {
        let hash: UInt64
        let offset: Int64
    }

    private var places: [Place] = []
    private let hash = KeyedHash()

    var count: Int { places.count }

    mutating func reserve(_ count: Int) { places.reserveCapacity(count) }

    mutating func add(_ url: [UInt8], at offset: Int64) {
        places.append(Place(hash: hash.hash([url]), offset: offset))
    }

    /// Once all are there, and before any is looked for.
    mutating func sort() {
        places.sort { ($0.hash, $0.offset) < ($1.hash, $1.offset) }
    }

    /// The lines that may be about a URL, the last one first.
    func offsets(of url: [UInt8]) -> [Int64] {
        let wanted = hash.hash([url])
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle].hash < wanted { low = middle + 1 } else { high = middle }
        }
        return places[low...].prefix { $0.hash == wanted }.map(\.offset).reversed()
    }
}
