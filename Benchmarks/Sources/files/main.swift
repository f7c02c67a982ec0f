// Measures the cost of watching a tree.
//
//   files watch ROOT              prints the ms until all is watched, and the memory in KiB and the CPU time in ms for that;
//                                 then, at the end of the input, on one line: the number of reported files called N, the
//                                 overflows, the CPU time in ms, and the 99th percentile of the delays, in µs, of the
//                                 reports of files called at-NS
//   files make ROOT DIRS FILES    makes that many directories, and that many files in them
//   files storm ROOT DIRS FILES   writes files 0 to FILES under other names, and renames them
//   files pace ROOT RATE SECONDS  renames files to at-NS, RATE a second

import Glibc
import RxEngine
import RxLinux
import Synchronization

let arguments = CommandLine.arguments
let root = arguments.count > 2 ? arguments[2] : ""
let numbers = arguments.dropFirst(3).compactMap { Int($0) }
switch (arguments.dropFirst().first, numbers.count) {
case ("watch", 0) where !root.isEmpty: watch()
case ("make", 2): make(directories: numbers[0], files: numbers[1])
case ("storm", 2): storm(directories: numbers[0], files: numbers[1])
case ("pace", 2): pace(rate: numbers[0], seconds: numbers[1])
default:
    print("usage: files watch ROOT | make ROOT DIRS FILES | storm ROOT DIRS FILES | pace ROOT RATE SECONDS")
    exit(2)
}

// MARK: the watcher

/// The reports received so far.
struct Tally {
    var seen: [Bool] = []
    var files = 0
    var overflows = 0
    var hasEnded = false
    var delays: [Int] = []

    mutating func take(_ change: FileChange) {
        if change.kind == .overflow { overflows += 1 }
        guard change.kind == .created || change.kind == .moved, !change.isDirectory else { return }
        let name = change.path.name.bytes
        if name == Array("end".utf8) {
            hasEnded = true
        } else if name.starts(with: Array("at-".utf8)) {
            if let time = number(name.dropFirst(3)) { delays.append((now() - time) / 1_000) }
        } else if let number = number(name[...]) {
            while seen.count <= number { seen.append(false) }
            if !seen[number] { files += 1 }
            seen[number] = true
        }
    }

    private func number(_ digits: ArraySlice<UInt8>) -> Int? {
        digits.reduce(digits.isEmpty ? nil : 0) { sum, digit in
            guard let sum, (0x30...0x39).contains(digit) else { return nil }
            return sum * 10 + Int(digit) - 0x30
        }
    }

    var worstOfMost: Int {
        delays.isEmpty ? 0 : delays.sorted()[min(delays.count - 1, delays.count * 99 / 100)]
    }
}

func watch() {
    let tally = Mutex(Tally())
    let begin = now()
    let watcher = FileWatcher()
    let subscription = watcher.changes(
        FileRequest([BytePath(root)], recursive: true),
        onArmed: { say((now() - begin) / 1_000_000, memory("VmRSS"), memory("VmHWM"), spent()) }
    ).subscribe(onNext: { change in tally.withLock { $0.take(change) } })
    while readLine() != nil {}
    write("\(root)/end")
    // This file is made last: once it is reported, and `watchCount` has waited for the rest of the same read, everything
    // is reported.
    while !tally.withLock({ $0.hasEnded }) {
        var pause = timespec(tv_sec: 0, tv_nsec: 1_000_000)
        nanosleep(&pause, nil)
    }
    _ = watcher.watchCount
    tally.withLock { say($0.files, $0.overflows, spent(), $0.worstOfMost, memory("VmHWM")) }
    subscription.dispose()
}

/// Prints numbers at once.
func say(_ numbers: Int...) {
    let line = Array((numbers.map(String.init).joined(separator: "\t") + "\n").utf8)
    _ = line.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
}

/// The processor time of this process, in ms.
func spent() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
    return seconds * 1_000 + Int(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1_000
}

/// A line of `/proc/self/status`, in KiB.
func memory(_ name: String) -> Int {
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if text.hasPrefix(name + ":") { return Int(text.drop { !$0.isNumber }.prefix { $0.isNumber }) ?? 0 }
    }
    return 0
}

func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

// MARK: the tree to watch

func write(_ path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    _ = Glibc.write(file, "x", 1)
    close(file)
}

func make(directories: Int, files: Int) {
    for number in 0..<directories {
        if number % 100 == 0 { mkdir("\(root)/\(number / 100)", 0o700) }
        mkdir("\(root)/\(number / 100)/\(number)", 0o700)
    }
    for number in 0..<files { write("\(root)/\(number % directories / 100)/\(number % directories)/file") }
}

func storm(directories: Int, files: Int) {
    for number in 0..<files {
        let directory = "\(root)/\(number % directories / 100)/\(number % directories)"
        write("\(directory)/new")
        rename("\(directory)/new", "\(directory)/\(number)")
    }
}

func pace(rate: Int, seconds: Int) {
    let begin = now()
    for number in 0..<rate * seconds {
        var left = begin + number * 1_000_000_000 / rate - now()
        while left > 0 {
            var pause = timespec(tv_sec: 0, tv_nsec: left)
            nanosleep(&pause, nil)
            left = begin + number * 1_000_000_000 / rate - now()
        }
        write("\(root)/0/0/new")
        rename("\(root)/0/0/new", "\(root)/0/0/at-\(now())")
    }
}
