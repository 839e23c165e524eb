/// The names that the modules of Swift's toolchain offer on Linux, without the modules of C.
enum ToolchainNames {}
