// The peer of `journal`: a bare loop. sendv COUNT; prints the records a second, and the processor time of one in ns.
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-journal.h>
#include <time.h>

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    const long count = atol(argv[1]);
    const char *texts[] = {
        "PRIORITY=6", "MESSAGE=api failed 3 polls in a row", "SYSLOG_IDENTIFIER=journal",
        "MESSAGE_ID=0123456789abcdef0123456789abcdef", "RX_KIND=event", "RX_PIPELINE=api-down", "RX_SEQUENCE=123456"};
    struct iovec vectors[7];
    for (int index = 0; index < 7; index++)
        vectors[index] = (struct iovec){.iov_base = (void *)texts[index], .iov_len = strlen(texts[index])};
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (long number = 0; number < count; number++)
        if (sd_journal_sendv(vectors, 7) < 0) return 1;
    clock_gettime(CLOCK_MONOTONIC, &end);
    struct timespec cpu;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    printf("%.0f %.0f\n", count / (end.tv_sec - begin.tv_sec + (end.tv_nsec - begin.tv_nsec) / 1e9), (cpu.tv_sec * 1e9 + cpu.tv_nsec) / count);
}
