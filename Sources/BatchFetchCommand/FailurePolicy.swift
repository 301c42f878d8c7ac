import ArgumentParser

/// How many URLs must fail for the command to fail.
enum FailurePolicy: ExpressibleByArgument, Equatable, Sendable {
    case never
    case any
    /// More than this share of all, in percent.
    case percent(Double)

    init?(argument: String) {
        switch argument {
        case "never": self = .never
        case "any": self = .any
        default:
            guard argument.hasSuffix("%"), let percent = Double(String(argument.dropLast())),
                (0...100).contains(percent)
            else { return nil }
            self = .percent(percent)
        }
    }

    func isFailure(failed: Int, of all: Int) -> Bool {
        switch self {
        case .never: false
        case .any: failed > 0
        case .percent(let percent): Double(failed) * 100 > percent * Double(all)
        }
    }
}
