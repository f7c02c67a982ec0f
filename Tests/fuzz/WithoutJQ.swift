// In place of the module RxJQ: what is fuzzed with this compiles no expression.

package struct JQLibrary {
    package init() {}
}

package final class JQBatch {
    package init(_ library: JQLibrary) {}
}
