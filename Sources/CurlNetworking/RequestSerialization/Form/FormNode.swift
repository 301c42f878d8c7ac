/// The values encoded so far at one place of a value.
///
/// It is a class because nested containers write into it.
final class FormNode {
    enum Content {
        /// Nothing was encoded.
        case empty
        case null
        case text(String)
        case array([FormNode])
        case object([(String, FormNode)])
    }

    var content = Content.empty

    /// Makes the node an object, unless it already is one.
    func becomeObject() {
        if case .object = content { return }
        content = .object([])
    }

    /// Makes the node an array, unless it already is one.
    func becomeArray() {
        if case .array = content { return }
        content = .array([])
    }

    /// Creates the node of a key, and replaces an existing one.
    func node(for key: String) -> FormNode {
        let node = FormNode()
        guard case .object(var entries) = content else { return node }
        // Makes `entries` the only reference to its storage, so that it isn't copied.
        content = .empty
        if let index = entries.firstIndex(where: { $0.0 == key }) {
            entries[index].1 = node
        } else {
            entries.append((key, node))
        }
        content = .object(entries)
        return node
    }

    /// Creates a node at the end of the array.
    func nextNode() -> FormNode {
        let node = FormNode()
        guard case .array(var elements) = content else { return node }
        // Makes `elements` the only reference to its storage, so that it isn't copied.
        content = .empty
        elements.append(node)
        content = .array(elements)
        return node
    }

    /// The number of elements of an array.
    var count: Int {
        if case .array(let elements) = content { elements.count } else { 0 }
    }
}
