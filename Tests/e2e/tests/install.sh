# After the installation the service is ready within a second, the sandbox refuses it nothing, and it writes only its own records.
. "${0%/*}/../lib.sh"

install_package
eventually 10 is ActiveState active
equal "$(box systemctl is-enabled rxwatchd)" enabled
took=$(($(show ActiveEnterTimestampMonotonic) - $(show ExecMainStartTimestampMonotonic)))
((took < 1000000)) || fail "ready only after $took us"
echo "figure: ready after $((took / 1000)) ms, $(box sed -n 's/^VmRSS:[[:space:]]*//p' "/proc/$(show MainPID)/status") resident"
[[ -n $(show StatusText) ]] || fail 'no status line'

eventually 10 some 'true' RX_KIND=resources
equal "$(box systemctl --failed --no-legend)" ''
equal "$(box systemctl is-system-running)" running
# Output of the daemon or a library would have another transport, and a refusal of the sandbox would be a warning.
every '._TRANSPORT == "journal" and .RX_KIND and (.PRIORITY | tonumber) > 4' _SYSTEMD_UNIT=rxwatchd.service
equal "$(box journalctl -q --no-pager -p warning -o cat _SYSTEMD_UNIT=rxwatchd.service)" ''

# rxwatchctl needs only what every program in Swift does, and none of the daemon's libraries, so that it starts at once: shells
# run it while their user types.
libraries=$(readelf -d "/proc/$BOX/root/usr/bin/rxwatchctl" | sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p')
grep -qx 'libc\.so\.6' <<<"$libraries" || fail "no libc: $libraries"
equal "$(grep -vE '^(lib(c|m|gcc_s|stdc\+\+)\.so\.|ld-linux)' <<<"$libraries" || true)" '' 'libraries of rxwatchctl'
# A start takes at most 5 ms. The machine may be busy: repeats until one does, for up to 20 s, and prints the best.
# shellcheck disable=SC2016 # the box's shell expands these
took=$(box bash -ec 'best=1000000000 end=$((${EPOCHREALTIME/./} + 20000000))
while ((best > 5000 && ${EPOCHREALTIME/./} < end)); do
    began=${EPOCHREALTIME/./}
    rxwatchctl --version >/dev/null
    took=$((${EPOCHREALTIME/./} - began))
    ((took >= best)) || best=$took
done
echo "$best"')
((took <= 5000)) || fail "no start of rxwatchctl --version took at most 5 ms within 20 s; the best took $took us"
echo "figure: rxwatchctl --version takes $took us"

equal "$(box rxwatchd --version)" "$(box rxwatchctl --version | sed s/rxwatchctl/rxwatchd/)"
box rxwatchctl check
box test -e /usr/share/zsh/vendor-completions/_rxwatchctl -a -e /usr/share/fish/vendor_completions.d/rxwatchctl.fish
box bash -ec '. /usr/share/bash-completion/completions/rxwatchctl; complete -p rxwatchctl' >/dev/null
