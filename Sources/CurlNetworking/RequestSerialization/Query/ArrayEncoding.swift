/// How the elements of an array are named in a query.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ArrayEncoding: Sendable {
    /// Each element has the array's key with brackets: `a[]=1&a[]=2`. The default.
    case brackets
    /// Each element has the array's key: `a=1&a=2`.
    case noBrackets
    /// Each element has its index in brackets, from 0: `a[0]=1&a[1]=2`.
    case indexInBrackets
    /// As a closure returns it for the key and the index.
    ///
    /// The key is the array's; the index starts at 0. It is called on the thread that creates the
    /// request.
    case custom(@Sendable (_ key: String, _ index: Int) -> String)

    func key(_ key: String, at index: Int) -> String {
        switch self {
        case .brackets: "\(key)[]"
        case .noBrackets: key
        case .indexInBrackets: "\(key)[\(index)]"
        case .custom(let name): name(key, index)
        }
    }
}

/// How Booleans are written in a query.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum BoolEncoding: String, Sendable, Codable {
    /// `1` and `0`. The default.
    case numeric
    /// `true` and `false`.
    case literal

    func text(_ value: Bool) -> String {
        switch self {
        case .numeric: value ? "1" : "0"
        case .literal: value ? "true" : "false"
        }
    }
}
