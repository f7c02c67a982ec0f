# shellcheck shell=bash
# What the measurements of the daemon share. Each runs on a booted systemd of its own, as the end-to-end tests do.
. "$(dirname "${BASH_SOURCE[0]}")/../../../Tests/e2e/lib.sh"

figure() { echo "figure: $*"; }

# at_most LIMIT VALUE WHAT: fail where the value, a number, is more.
at_most() { jq -en "$2 <= $1" >/dev/null || fail "$3: $2, at most $1 are allowed"; }

# begin: start the daemon with the configuration on standard input.
begin() {
    put "$SHIPPED"
    box systemctl reset-failed rxwatchd
    box systemctl restart rxwatchd
}

# milliseconds until the last start was ready, as the daemon says.
ready() { records RX_PHASE=ready | jq -r '.MESSAGE | capture("after (?<ms>[0-9.]+) ms").ms' | tail -n 1; }

# status FIELD: kibibytes of the daemon's memory.
memory() { box awk -v field="$1:" '$1 == field {print $2}' "/proc/$(show MainPID)/status"; }

# cpu: seconds of processor time that the daemon has used.
cpu() { box sh -c 'read -r _ _ _ _ _ _ _ _ _ _ _ _ _ user system _ <"/proc/$1/stat"; echo "($user + $system) / $(getconf CLK_TCK)"' sh "$(show MainPID)" | jq -Rr 'capture("\\((?<u>\\d+) \\+ (?<s>\\d+)\\) / (?<t>\\d+)") | ((.u | tonumber) + (.s | tonumber)) / (.t | tonumber)'; }

# percentiles: of the numbers on standard input, the median, the 99th of 100, and the greatest.
percentiles() { jq -rs 'sort | "\(.[length / 2 | floor]) \(.[length * 0.99 | floor]) \(.[-1])"'; }
