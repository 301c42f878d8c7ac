/// A statement of SQL with parameters `$1` … `$16`.
package struct PostgresStatement: Sendable, Hashable {
    /// The name under which a connection prepares it once; `nil` for a statement that runs rarely.
    package let name: String?
    /// The statement's text.
    package let sql: String

    package init(_ sql: String, name: String? = nil) {
        self.name = name
        self.sql = sql
    }

    /// The statement with values for its parameters, in order.
    package func callAsFunction(_ values: PostgresValue...) -> PostgresCall {
        callAsFunction(values)
    }

    /// The statement with values for its parameters, in order.
    package func callAsFunction(_ values: [PostgresValue]) -> PostgresCall {
        PostgresCall(statement: self, values: values)
    }
}

/// A statement and its parameters' values.
package struct PostgresCall: Sendable, Hashable {
    package let statement: PostgresStatement
    package let values: [PostgresValue]
}

/// The rows that a statement returned.
package struct PostgresRows: Sendable, Hashable {
    private let cells: [String?]
    private let columnCount: Int
    /// The number of rows.
    package let count: Int

    init(cells: [String?] = [], columnCount: Int = 0, count: Int = 0) {
        self.cells = cells
        self.columnCount = columnCount
        self.count = count
    }

    /// The text of a cell; `nil` for SQL's `NULL` and for a column that doesn't exist.
    package subscript(row: Int, column: Int) -> String? {
        guard row >= 0, row < count, column >= 0, column < columnCount else { return nil }
        return cells[row * columnCount + column]
    }

    /// The number in a cell; `nil` if it has none.
    package func integer(_ row: Int, _ column: Int) -> Int? {
        self[row, column].flatMap { Int($0) }
    }
}
