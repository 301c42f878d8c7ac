internal import HTTPSemantics
internal import HTTPTypes
internal import Posix

/// Scheme and authority of a request, by which its loop is chosen.
///
/// Without URL parser: two spellings of a port, such as `:80` and `:080`, are different keys.
struct LoopKey: Equatable, Sendable {
    private let isSecure: Bool
    /// Without the default port, which is the same origin as none.
    private let authority: Substring
    private let hash: UInt64

    init(_ request: HTTPRequest) {
        isSecure = request.scheme?.lowercased() == "https"
        var authority = Substring(request.authority ?? "")
        let port = isSecure ? ":443" : ":80"
        if authority.hasSuffix(port) { authority = authority.dropLast(port.count) }
        self.authority = authority
        var hash = FNV1a()
        for byte in authority.utf8 { hash.add(UInt64(byte.lowercasedASCII)) }
        self.hash = hash.value
    }

    /// The loop, of `count`, on which the transfers run unless the origin is spread.
    func home(of count: Int) -> Int {
        Int((hash >> 32) % UInt64(count))
    }

    static func == (lhs: LoopKey, rhs: LoopKey) -> Bool {
        lhs.hash == rhs.hash && lhs.isSecure == rhs.isSecure
            && lhs.authority.utf8.elementsEqual(rhs.authority.utf8) {
                $0.lowercasedASCII == $1.lowercasedASCII
            }
    }
}
