/// Divides the bytes of results into lines. One that is torn at the end doesn't count. Pure.
struct LoggedResults: Sendable {
    /// The bytes of whole lines.
    private(set) var wholeLength: Int64 = 0
    /// Whether there was a line that is no result.
    private(set) var hasForeignLine = false
    private var partial: [UInt8] = []

    /// Takes the next bytes, and tells each line and where it begins.
    mutating func read(_ bytes: [UInt8], _ take: (_ line: LoggedResult, _ offset: Int64) -> Void) {
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            partial += rest[..<end]
            if let line = LoggedResult(partial) {
                take(line, wholeLength)
            } else {
                hasForeignLine = true
            }
            wholeLength += Int64(partial.count + 1)
            partial.removeAll(keepingCapacity: true)
            rest = rest[(end + 1)...]
        }
        partial += rest
    }
}
