import RxLinux
import Testing

struct UnitNameTests {
    @Test(
        arguments: [
            ("nginx.service", true), ("getty@tty1.service", true), ("a-b_c:d.timer", true),
            ("dev-sda\\x2d1.swap", true),
            ("multi-user.target", true), ("nginx", false), ("", false), (".service", false), ("a b.service", false),
            ("a.servic", false), ("ä.service", false), (String(repeating: "a", count: 250) + ".service", false),
        ]) func unitNameEndsInType(text: String, isName: Bool)
    {
        #expect(Units.isName(text) == isName)
    }
}
