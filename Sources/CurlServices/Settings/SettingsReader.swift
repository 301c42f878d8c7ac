internal import Configuration
internal import CurlTransport

/// Reads the values of a snapshot. A value of the wrong kind is an error, not a missing value.
struct SettingsReader {
    private let snapshot: ConfigSnapshotReader

    init(_ snapshot: ConfigSnapshotReader) {
        self.snapshot = snapshot
    }

    /// A whole number; nil if the key has no value.
    func integer(_ key: String) throws(TransportError) -> Int? {
        if let value = snapshot.int(forKey: ConfigKey(key)) { return value }
        try refuse(key, "a whole number")
        return nil
    }

    /// A whole number in a range; nil if the key has no value.
    func integer(_ key: String, in range: ClosedRange<Int>) throws(TransportError) -> Int? {
        guard let value = try integer(key) else { return nil }
        guard range.contains(value) else {
            throw .configuration(
                "\(key) is \(value) in the configuration; use a whole number from "
                    + "\(range.lowerBound) to \(range.upperBound)"
            )
        }
        return value
    }

    /// A duration of zero or more seconds; nil if the key has no value.
    func seconds(_ key: String) throws(TransportError) -> Duration? {
        let name = ConfigKey(key)
        guard
            let value = snapshot.double(forKey: name)
                ?? snapshot.int(forKey: name).map({ Double($0) })
        else {
            try refuse(key, "a number of seconds")
            return nil
        }
        guard value.isFinite, (0...1e9).contains(value) else {
            throw .configuration("\(key) is \(value); use a number of seconds from 0 to 1e9")
        }
        return .seconds(value)
    }

    /// A text; nil if the key has no value, or an empty one.
    func text(_ key: String, isSecret: Bool = false) throws(TransportError) -> String? {
        let name = ConfigKey(key)
        if let value = snapshot.string(forKey: name, isSecret: isSecret) {
            return value.isEmpty ? nil : value
        }
        try refuse(key, "a text")
        return nil
    }

    /// A text, also if it looks like a number with a fraction.
    func version(_ key: String) throws(TransportError) -> String? {
        let name = ConfigKey(key)
        if let value = snapshot.string(forKey: name) { return value.isEmpty ? nil : value }
        if let value = snapshot.double(forKey: name) { return "\(value)" }
        try refuse(key, "a version such as 1.2")
        return nil
    }

    /// A list of texts; nil if the key has no value.
    func list(_ key: String) throws(TransportError) -> [String]? {
        if let value = snapshot.stringArray(forKey: ConfigKey(key)) { return value }
        try refuse(key, "a list of texts")
        return nil
    }

    /// Throws if the key has a value of another kind. The message doesn't contain it.
    private func refuse(_ key: String, _ kind: String) throws(TransportError) {
        let name = ConfigKey(key)
        let hasValue =
            snapshot.string(forKey: name, isSecret: true) != nil
            || snapshot.int(forKey: name, isSecret: true) != nil
            || snapshot.double(forKey: name, isSecret: true) != nil
            || snapshot.bool(forKey: name, isSecret: true) != nil
            || snapshot.bytes(forKey: name, isSecret: true) != nil
            || snapshot.stringArray(forKey: name, isSecret: true) != nil
            || snapshot.intArray(forKey: name, isSecret: true) != nil
            || snapshot.doubleArray(forKey: name, isSecret: true) != nil
            || snapshot.boolArray(forKey: name, isSecret: true) != nil
            || snapshot.byteChunkArray(forKey: name, isSecret: true) != nil
        if hasValue { throw .configuration("\(key) in the configuration isn't \(kind)") }
    }
}
