package import Foundation

/// A value that a statement is given.
package enum SQLiteValue: Sendable {
    case integer(Int)
    case real(Double)
    case text(String)
    case blob(Data)
}
