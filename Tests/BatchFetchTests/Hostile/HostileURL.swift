import TestSupport

@testable import BatchFetch

/// A URL of a hostile host: its faults in order, then its final answer.
struct HostileURL: Sendable {
    enum Ending: Sendable, Hashable {
        case good
        /// 404.
        case gone
        /// 500 for every request.
        case failing
        /// Never the body with the list's digest.
        case damaged
        /// A redirect to itself.
        case loop
    }

    let path: String
    var ending = Ending.good
    var faults: [HostileFault] = []

    var body: [UInt8] { Self.body(of: path) }

    /// A body of some bytes to some kilobytes.
    static func body(of path: String) -> [UInt8] {
        let sum = path.utf8.reduce(0) { ($0 * 31 + Int($1)) % 300 }
        return Array(repeatElement(Array("body of \(path) ".utf8), count: 1 + sum).joined())
    }

    /// All URLs of a host: the same for the same seed.
    static func all(of host: Int, using generator: inout SeededGenerator) -> [HostileURL] {
        var urls = (0..<80).map { HostileURL(path: "/\(host)/\($0)") }
        var others = Array(urls.indices).shuffled(using: &generator)
        for ending in [Ending.gone, .gone, .gone, .gone, .damaged, .damaged, .failing, .loop] {
            urls[others.removeLast()].ending = ending
        }
        let faults = HostileFault.allCases.flatMap { Array(repeating: $0, count: $0.count) }
        for fault in faults where !fault.isMismatch && !fault.isRedirect {
            urls[others.randomElement(using: &generator) ?? 0].faults.append(fault)
        }
        // The body of a URL may be wrong only once.
        for (fault, index) in zip(faults.filter(\.isMismatch), others.shuffled(using: &generator)) {
            urls[index].faults.append(fault)
        }
        for index in urls.indices { urls[index].faults.shuffle(using: &generator) }
        // Redirects are the last fault of a URL: they lead to the body.
        for (fault, index) in zip(faults.filter(\.isRedirect), others.shuffled(using: &generator)) {
            urls[index].faults.append(fault)
        }
        return urls
    }

    /// The minimum number of failed attempts. A connection that is reset before the answer isn't
    /// counted: if it has served another request, libcurl retries by itself.
    var failures: Int { faults.count { !$0.isRedirect && $0 != .resetBeforeHead } }
}
