/// How the elements of an array are named in a query.
public enum ArrayEncoding: Sendable {
    /// Every element has the array's key with brackets: `a[]=1&a[]=2`. The default.
    case brackets
    /// Every element has the array's key: `a=1&a=2`.
    case noBrackets
    /// Every element has its index in brackets, from 0: `a[0]=1&a[1]=2`.
    case indexInBrackets
    /// What a closure makes of the array's key and the element's index, from 0. It is called on the
    /// thread that makes the request.
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
