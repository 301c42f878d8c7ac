internal import Foundation

/// How often tests do what shows the more, the more often it is done.
package enum Rounds {
    /// - Parameters:
    ///   - usual: Without a word from the environment.
    ///   - few: Where it has `CURLNETWORKING_FEW_ROUNDS`, as it does under a sanitizer: each round takes
    ///     many times as long there, and what a sanitizer finds, it finds in the first ones.
    ///   - full: Where it has `CURLNETWORKING_FULL_ROUNDS`, because that takes minutes.
    package static func count(_ usual: Int, few: Int? = nil, full: Int? = nil) -> Int {
        let variables = ProcessInfo.processInfo.environment
        if variables["CURLNETWORKING_FULL_ROUNDS"] != nil { return full ?? usual }
        if variables["CURLNETWORKING_FEW_ROUNDS"] != nil { return few ?? usual }
        return usual
    }

    /// How long a program may take that does all that a test wants of it. Generous: it ends what would
    /// never end, and nothing else.
    package static var timeLimit: Duration { .seconds(count(600, few: 1800, full: 3600)) }
}
