/// An option and its value, made ready to be set on many handles.
package enum EasySetting: Sendable, Hashable {
    case flag(EasyOption<Bool>, Bool)
    case number(EasyOption<Int>, Int)
    case amount(EasyOption<Int64>, Int64)
    case text(EasyOption<String?>, String?)
    case bytes(EasyOption<[UInt8]>, [UInt8])
}

extension EasyHandle {
    /// Sets options in order; stops at the first that libcurl refuses.
    package borrowing func set(_ settings: [EasySetting]) throws(EasyOptionFailure) {
        for setting in settings {
            switch setting {
            case .flag(let option, let value): try set(option, value)
            case .number(let option, let value): try set(option, value)
            case .amount(let option, let value): try set(option, value)
            case .text(let option, let value): try set(option, value)
            case .bytes(let option, let value): try set(option, value)
            }
        }
    }
}
