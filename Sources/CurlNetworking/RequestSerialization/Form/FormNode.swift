/// What was encoded at one place of a value, while it is being encoded. Containers that are handed out
/// write into it, so it is a reference.
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

    /// Makes it an object, unless it is one.
    func becomeObject() {
        if case .object = content { return }
        content = .object([])
    }

    /// Makes it an array, unless it is one.
    func becomeArray() {
        if case .array = content { return }
        content = .array([])
    }

    /// The node of a key, in the place of the one that it has.
    func node(for key: String) -> FormNode {
        let node = FormNode()
        guard case .object(var entries) = content else { return node }
        // Nobody else has them then, so that they needn't be copied.
        content = .empty
        if let index = entries.firstIndex(where: { $0.0 == key }) {
            entries[index].1 = node
        } else {
            entries.append((key, node))
        }
        content = .object(entries)
        return node
    }

    /// A node after the array's last.
    func nextNode() -> FormNode {
        let node = FormNode()
        guard case .array(var elements) = content else { return node }
        // Nobody else has them then, so that they needn't be copied.
        content = .empty
        elements.append(node)
        content = .array(elements)
        return node
    }

    /// How many elements an array has.
    var count: Int {
        if case .array(let elements) = content { elements.count } else { 0 }
    }
}
