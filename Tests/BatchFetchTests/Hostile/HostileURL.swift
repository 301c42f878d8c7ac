import TestSupport

@testable import BatchFetch

/// A URL of a hostile host: first come its faults, in their order, and then how it ends.
struct HostileURL: Sendable {
    enum Ending: Sendable, Hashable {
        case good
        /// 404.
        case gone
        /// 500, whenever it is asked.
        case failing
        /// Never the body of the list.
        case damaged
        /// A redirect to itself.
        case loop
    }

    let path: String
    var ending = Ending.good
    var faults: [HostileFault] = []

    var body: [UInt8] { Self.body(of: path) }

    /// Some bytes to some kilobytes.
    static func body(of path: String) -> [UInt8] {
        let sum = path.utf8.reduce(0) { ($0 * 31 + Int($1)) % 300 }
        return Array(repeatElement(Array("body of \(path) ".utf8), count: 1 + sum).joined())
    }

    /// All of a host: the same for the same seed.
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
        // A body may be wrong once only.
        for (fault, index) in zip(faults.filter(\.isMismatch), others.shuffled(using: &generator)) {
            urls[index].faults.append(fault)
        }
        for index in urls.indices { urls[index].faults.shuffle(using: &generator) }
        // Nothing comes after those: they lead to what is wanted.
        for (fault, index) in zip(faults.filter(\.isRedirect), others.shuffled(using: &generator)) {
            urls[index].faults.append(fault)
        }
        return urls
    }

    /// How many attempts fail, at the least: a connection that is lost before the answer may have served
    /// another request, and then libcurl asks again by itself.
    var failures: Int { faults.count { !$0.isRedirect && $0 != .resetBeforeHead } }
}
