// The module that the files in `Shared` use: only the next line differs.
@_exported public import FoundationNetworking
