import Curl

/// A file that a run reads or writes, as its user named it: `-` and what isn't a file of its own (a
/// pipe, a device) may be named more than once.
package struct FileUse: Sendable {
    /// What it is for, in words for messages: `--results`.
    private let purpose: String
    private let path: String
    private let place: FilePlace?
    private let isWritten: Bool

    private init(_ purpose: String, _ path: String, _ place: FilePlace?, isWritten: Bool) {
        self.purpose = purpose
        self.path = path
        self.place = place
        self.isWritten = isWritten
    }

    /// Asks the file system.
    private init(_ purpose: String, _ path: String, isWritten: Bool) {
        let place = path == "-" ? nil : FileSystem.place(of: path)
        self.init(purpose, path, place, isWritten: isWritten)
    }

    /// A file that is only read; `nil` for none.
    package static func reading(_ path: String?, for purpose: String) -> FileUse? {
        path.map { FileUse(purpose, $0, isWritten: false) }
    }

    /// A file that is written, so that its content may be lost; `nil` for none.
    package static func writing(_ path: String?, for purpose: String) -> FileUse? {
        path.map { FileUse(purpose, $0, isWritten: true) }
    }

    /// A list of URLs, which may be the standard input; `nil` for a URL.
    package static func reading(list: String) -> FileUse? {
        let purpose = "a list of URLs"
        switch InputList(list) {
        case .url: return nil
        case .file(let path): return reading(path, for: purpose)
        case .standardInput:
            let place = FileSystem.placeOfStandardInput()
            return FileUse(purpose, "standard input", place, isWritten: false)
        }
    }

    /// The paths of these files, whether they are there yet or not.
    package static func paths(of files: [FileUse?]) -> [String] {
        files.compactMap { $0?.path }.filter { $0 != "-" }
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
