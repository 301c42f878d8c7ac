/// The library's layers that can be put under load, by their names on the command line.
enum Layer: Int, CaseIterable {
    case transport
    case async
}
