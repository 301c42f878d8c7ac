// What the files in `Shared` are compiled against: this line is all that differs.
@_exported public import CurlURLSession
