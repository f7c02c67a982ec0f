# shellcheck shell=bash
# The functions of the daemon's measurements. Each measurement runs on a booted systemd of its own, as the end-to-end tests do.
. "$(dirname "${BASH_SOURCE[0]}")/../../../Tests/e2e/lib.sh"

figure() { echo "figure: $*"; }

# at_most LIMIT VALUE WHAT: fails if the number VALUE is more than LIMIT.
at_most() { jq -en "$2 <= $1" >/dev/null || fail "$3: $2, at most $1 are allowed"; }

# begin: starts the daemon with the configuration on standard input.
begin() {
    put "$SHIPPED"
    box systemctl reset-failed rxwatchd
    box systemctl restart rxwatchd
}

# ready: prints the milliseconds of the last start, from the daemon's record.
ready() { records RX_PHASE=ready | jq -r '.MESSAGE | capture("after (?<ms>[0-9.]+) ms").ms' | tail -n 1; }

# memory FIELD: prints the KiB of this field in the status of the daemon's process.
memory() { box awk -v field="$1:" '$1 == field {print $2}' "/proc/$(show MainPID)/status"; }

# cpu [PID...]: prints the seconds of processor time that these processes have used (default: the daemon's).
cpu() {
    local pid
    (($# > 0)) || set -- "$(show MainPID)"
    for pid; do
        box sh -c 'read -r _ _ _ _ _ _ _ _ _ _ _ _ _ user system _ <"/proc/$1/stat"; echo "$user $system $(getconf CLK_TCK)"' sh "$pid"
    done | jq -Rn '[inputs | split(" ") | map(tonumber) | (.[0] + .[1]) / .[2]] | add'
}

# percentiles: prints the median, the 99th percentile and the maximum of the numbers on standard input.
percentiles() { jq -rs 'sort | "\(.[length / 2 | floor]) \(.[length * 0.99 | floor]) \(.[-1])"'; }
