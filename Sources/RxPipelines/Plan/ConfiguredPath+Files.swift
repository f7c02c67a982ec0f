import RxLinux

extension ConfiguredPath {
    /// Whether no such file exists. If the path has a template, whether the directory in which the template names a file
    /// does not exist, or the name of the file has a space before the template.
    var isMissing: Bool {
        guard isTemplate, let directory = beforeTemplate?.dropLast(while: { $0 != "/" }) else {
            return path.map { BytePath(text: $0).isMissing } ?? false
        }
        return !directory.contains(" ") || BytePath(text: String(directory)).isMissing
    }
}

extension Substring {
    fileprivate func dropLast(while isDropped: (Character) -> Bool) -> Substring {
        dropLast(reversed().prefix(while: isDropped).count)
    }
}
