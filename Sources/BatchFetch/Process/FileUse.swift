import Curl

/// A file that a run reads or writes, as its user named it: `-` and what isn't a file of its own (a
/// pipe, a device) may be named more than once.
package struct FileUse: Sendable {
    /// What it is for, in words for messages: `--results`.
    private let purpose: String
    private let path: String
    private let place: FilePlace?
    private let isWritten: Bool

    /// Asks the file system.
    private init(_ purpose: String, _ path: String, isWritten: Bool) {
        self.purpose = purpose
        self.path = path
        self.isWritten = isWritten
        place = path == "-" ? nil : FileSystem.place(of: path)
    }

    /// A file that is only read; `nil` for none.
    package static func reading(_ path: String?, for purpose: String) -> FileUse? {
        path.map { FileUse(purpose, $0, isWritten: false) }
    }

    /// A file that is written, so that its content may be lost; `nil` for none.
    package static func writing(_ path: String?, for purpose: String) -> FileUse? {
        path.map { FileUse(purpose, $0, isWritten: true) }
    }

    /// A list of URLs; `nil` for a URL and for the standard input.
    package static func reading(list: String) -> FileUse? {
        guard case .file(let path) = InputList(list) else { return nil }
        return reading(path, for: "a list of URLs")
    }

    /// Why these files can't be used in one run, however their names are spelt: one would be written
    /// over another. `nil` if they can.
    package static func clash(of files: [FileUse?]) -> String? {
        var known: [FilePlace: FileUse] = [:]
        for file in files.compactMap({ $0 }) {
            guard let place = file.place else { continue }
            guard let other = known.updateValue(file, forKey: place) else { continue }
            let (writer, victim) = file.isWritten ? (file, other) : (other, file)
            guard writer.isWritten else { continue }
            return
                "\(writer.purpose) would overwrite “\(victim.path)”, which is \(victim.purpose): "
                + "name another file"
        }
        return nil
    }
}
