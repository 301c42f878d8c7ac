internal import Foundation

/// How often tests repeat what fails only sometimes.
package enum Rounds {
    /// - Parameters:
    ///   - usual: Without a variable in the environment.
    ///   - few: With `CURLNETWORKING_FEW_ROUNDS`, as under a sanitizer: each round takes many times
    ///     as long there, and what a sanitizer finds, it finds in the first rounds.
    ///   - full: With `CURLNETWORKING_FULL_ROUNDS`, because that takes minutes.
    package static func count(_ usual: Int, few: Int? = nil, full: Int? = nil) -> Int {
        let variables = ProcessInfo.processInfo.environment
        if variables["CURLNETWORKING_FULL_ROUNDS"] != nil { return full ?? usual }
        if variables["CURLNETWORKING_FEW_ROUNDS"] != nil { return few ?? usual }
        return usual
    }

    /// How long a program may run that does everything a test needs. Generous: it ends only
    /// programs that would never end.
    package static var timeLimit: Duration { .seconds(count(600, few: 1800, full: 3600)) }
}
