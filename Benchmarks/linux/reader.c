// A journald that reads and discards records: reader PATH.
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, argv[1], sizeof(address.sun_path) - 1);
    const int socket_ = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    int on = 1, size = 8 << 20;
    // The same options as those of journald.
    setsockopt(socket_, SOL_SOCKET, SO_PASSCRED, &on, sizeof(on));
    setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
    if (bind(socket_, (struct sockaddr *)&address, sizeof(address)) != 0) { perror("bind"); return 1; }
    static char bytes[1 << 20];
    while (recv(socket_, bytes, sizeof(bytes), 0) >= 0) {}
    return 1;
}
