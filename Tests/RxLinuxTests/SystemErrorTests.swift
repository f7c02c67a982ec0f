import Glibc
import RxLinux
import Testing

struct SystemErrorTests {
    @Test func descriptionHasOperationAndSystemMessage() {
        let error = SystemError(ENOENT, "opening the door")
        #expect(error.description == "opening the door: No such file or directory")
        #expect(error.number == ENOENT && error.doing == "opening the door")
    }
}
