# The first subscription of a program, and its disposal. Run by Tests/probes.
set breakpoint pending off
break -probe-stap rxengine:subscribe
run </dev/null >/dev/null
set $live = $_probe_arg0
printf "subscribe: operator %d\n", $_probe_arg1 > 0
delete
break -probe-stap rxengine:dispose if $_probe_arg0 == $live
continue
printf "dispose: same %d\n", $_probe_arg0 == $live
kill
