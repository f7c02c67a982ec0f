import Dispatch
import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

@Suite(.balanced) struct DescriptorReserveTests {
    /// Dispatch checks its threads once a second while work waits for one, each time with a descriptor.
    @Test func reserveLeavesDescriptorsForDispatch() async {
        await #expect(processExitsWith: .success) {
            openFilesLimit.rlim_cur = 100
            var ends: [Int32] = [0, 0]
            pipe(&ends)
            let reading = ends[0]
            let failures = Cell<[any Error]>([])
            let subscriptions = CompositeDisposable()
            while failures.value.isEmpty {
                _ = subscriptions.insert(LineReader.of(reading).subscribe(onError: { error in failures.append(error) }))
            }
            #expect(failures.value.first as? SystemError == SystemError(EMFILE, "duplicating a descriptor"))

            let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let work = DispatchQueue(label: "work", attributes: .concurrent)
            let (atOnce, looks) = (sysconf(Int32(_SC_NPROCESSORS_ONLN)), 2)
            for _ in 0..<2 * (atOnce + looks) {
                work.async {
                    begun.signal()
                    end.wait()
                }
            }
            // If all threads only wait, a check adds one.
            for _ in 0..<atOnce + looks { #expect(begun.waits(for: 20)) }
            for _ in 0..<2 * (atOnce + looks) { end.signal() }
            subscriptions.dispose()
        }
    }

    @Test func lastDescriptorsAreNotKept() async {
        await #expect(processExitsWith: .success) {
            let all = openFilesLimit
            for (maximum, last) in [(100, 83), (40, 23), (32, 15), (20, 9), (0, -1)] {
                openFilesLimit.rlim_cur = rlim_t(maximum)
                #expect(last < 0 || DescriptorReserve.allows(Int32(last)), "\(maximum)")
                #expect(!DescriptorReserve.allows(Int32(last + 1)), "\(maximum)")
            }
            openFilesLimit = all
        }
    }

    /// Half a pipe would be left open otherwise.
    @Test func pipeIsKeptWithBothEndsOrNotAtAll() async {
        await #expect(processExitsWith: .success) {
            let all = openFilesLimit
            for room in rlim_t(0)..<2 {
                // Another thread may open something meanwhile, once. A leak of half a pipe would occur each time.
                let isRight = (0..<5).contains { _ in
                    guard let last = try? Self.lastOfAPipe() else { return false }
                    let kept = rlim_t(last) + room
                    openFilesLimit.rlim_cur = kept + min(16, kept)
                    let isKept = (try? Pipe()) != nil
                    openFilesLimit = all
                    return isKept == (room == 1) && (try? Self.lastOfAPipe()) == last
                }
                #expect(isRight)
            }
        }
    }

    private static func lastOfAPipe() throws -> Int32 {
        let pipe = try Pipe()
        return max(pipe.reading.number, pipe.writing.number)
    }
}

extension DispatchSemaphore {
    fileprivate func waits(for seconds: Int) -> Bool {
        wait(timeout: .now() + .seconds(seconds)) == .success
    }
}
