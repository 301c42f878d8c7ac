// Settings of the address sanitizer and of its search for leaks, linked into each program that
// .ci/sanitize builds for it: programs that tests start get them too.

// Freed memory is kept aside to find its use, 256 MB unless told otherwise: more than what tests of
// memory allow. Reports go to files (REPORTS is given to the compiler): of what a program that a test
// starts writes, not everything is looked at.
const char *__asan_default_options(void) {
    return "detect_leaks=1:quarantine_size_mb=32:log_path=" REPORTS;
}

const char *__lsan_default_suppressions(void) {
    // What a global's initializer makes lives as long as the process. Where it lies in an
    // enumeration, its address has bits of Swift's own, and isn't recognized. Nor is that of the
    // table of a weak reference, which hangs in its object's counts as long as the object lives.
    //
    // Foundation itself never frees the errors that it makes of broken property lists and XML, nor an
    // XMLDocument whose elements were looked at: it holds them, and they hold it. Dispatch keeps
    // the memory of finished jobs for the next ones of a thread, where it isn't found.
    return "leak:_WZ\n"
           "leak:ProtocolLoader*startTimer\n"
           "leak:_CFPropertyListCreateFromUTF8Data\n"
           "leak:libFoundationXML.so\n"
           "leak:libxml2.so\n"
           "leak:_dispatch_continuation_alloc_from_heap\n";
}
