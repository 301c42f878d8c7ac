/// One connection of a ``LocalServer``: reads, and writes, as far as that can be done without waiting.
protocol LocalConnection: SendableMetatype {
    /// Does what can be done now.
    mutating func turn() -> LocalTurn
}
