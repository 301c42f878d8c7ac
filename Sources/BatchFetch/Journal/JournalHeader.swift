/// Which run a journal belongs to.
struct JournalHeader: Sendable, Hashable {
    var input: InputIdentity
    /// How the list is read.
    var reading = ListReading()
    /// Where the results go.
    var results: String
    /// Where the bodies go; empty for nowhere.
    var output: String

    /// Why a run with these values can't go on with a journal of `self`; nil if it can.
    func objection(to other: JournalHeader) -> String? {
        if let change = input.change(to: other.input) { return change }
        if let change = reading.change(to: other.reading) { return change }
        if results != other.results {
            return "it was begun with the results “\(results)”, not “\(other.results)”"
        }
        if output != other.output {
            return "it was begun with the output “\(output)”, not “\(other.output)”"
        }
        return nil
    }
}
