internal import Foundation

/// A value that a statement is given.
enum SQLiteValue: Sendable {
    case integer(Int)
    case real(Double)
    case text(String)
    case blob(Data)
}
