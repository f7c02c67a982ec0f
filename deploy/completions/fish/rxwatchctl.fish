# fish completion for rxwatchctl(1)

# Prints the operands before the cursor, of which the first is the command.
function __rxwatchctl_operands
    set --local is_value no
    for word in (commandline -opc)[2..]
        if test $is_value = yes
            set is_value no
        else if contains -- $word --control --config --every --for --with --result --against --since --directory --limit --timeout --frame
            set is_value yes
        else if not string match -q -- '-?*' $word
            printf '%s\n' $word
        end
    end
end

# Prints a path, if there is one, expanded as the shell will do it, but without running anything.
function __rxwatchctl_expand
    if string match -q -- '~/*' $argv
        set argv $HOME(string sub --start 2 -- $argv)
    end
    if test -n "$argv"
        printf '%s\n' $argv
    end
end

# Prints the path that an option has, if the command line has it.
function __rxwatchctl_path
    set --local path
    set --local previous
    for word in (commandline -opc)[2..]
        if test "$previous" = $argv[1]
            set path $word
        else if string match -q -- "$argv[1]=*" $word
            set path (string replace -- $argv[1]= '' $word)
        end
        set previous $word
    end
    __rxwatchctl_expand $path
end

# Prints --control and its path, if the command line has them.
function __rxwatchctl_control
    set --local path (__rxwatchctl_path --control)
    if test -n "$path"
        printf '%s\n' --control $path
    end
end

function __rxwatchctl_nodes
    timeout 2 rxwatchctl status $argv 2>/dev/null | string match -rg '^  (?:source|pipeline) ([A-Za-z0-9_.-]+):'
end

function __rxwatchctl_nodes_and_sinks
    timeout 2 rxwatchctl status $argv 2>/dev/null | string match -rg '^  (?:source|pipeline|sink) ([A-Za-z0-9_./-]+):'
end

function __rxwatchctl_sources
    timeout 2 rxwatchctl status $argv 2>/dev/null | string match -rg '^  source ([A-Za-z0-9_.-]+):'
end

function __rxwatchctl_sinks
    timeout 2 rxwatchctl spool list $argv 2>/dev/null | string match -rg '^([A-Za-z0-9_./-]+): '
end

# Prints the ids of the events that wait for the sink on the command line.
function __rxwatchctl_ids
    timeout 2 rxwatchctl spool show --limit 100 (__rxwatchctl_control) (__rxwatchctl_operands)[3] 2>/dev/null |
        string match -rg '^([A-Za-z0-9_.:@/-]+)  [0-9a-z ]+ ago  '
end

# Prints the names in a configuration. The arguments are its sections, separated by |, and its path, if the command line has it.
function __rxwatchctl_configured
    timeout 2 rxwatchctl show $argv[2..] 2>/dev/null |
        sed -nE "/^[a-z]/h; /^  [A-Za-z0-9_.-]+:/{ G; s/^  ([A-Za-z0-9_.-]+):.*\n($argv[1]):.*/\1/p; }"
end

# Prints the names of nodes to which a value is given.
function __rxwatchctl_given
    __rxwatchctl_configured $argv[1] (__rxwatchctl_path --config) | string replace -r '$' =
end

function __rxwatchctl_tests
    __rxwatchctl_configured tests (__rxwatchctl_expand (__rxwatchctl_operands)[2])
end

# Whether the action of spool is one of these.
function __rxwatchctl_action
    contains -- (__rxwatchctl_operands)[2] $argv
end

# Whether no command has been typed yet.
function __rxwatchctl_first
    test (count (__rxwatchctl_operands)) -eq 0
end

complete -c rxwatchctl -f
complete -c rxwatchctl -n __rxwatchctl_first -a check -d 'check a configuration without running it'
complete -c rxwatchctl -n __rxwatchctl_first -a test -d 'run the tests of a configuration in virtual time'
complete -c rxwatchctl -n __rxwatchctl_first -a try -d 'show what events of your own would do'
complete -c rxwatchctl -n __rxwatchctl_first -a replay -d 'show what recorded events would do'
complete -c rxwatchctl -n __rxwatchctl_first -a show -d 'print the merged configuration'
complete -c rxwatchctl -n __rxwatchctl_first -a schema -d 'print the JSON schema of a configuration'
complete -c rxwatchctl -n __rxwatchctl_first -a plan -d 'print what a reload would keep, change, start and stop'
complete -c rxwatchctl -n __rxwatchctl_first -a reload -d 'reload the configuration of the daemon'
complete -c rxwatchctl -n __rxwatchctl_first -a status -d 'print the status of the daemon, or of a node'
complete -c rxwatchctl -n __rxwatchctl_first -a graph -d 'print the sources, pipelines and sinks of the daemon'
complete -c rxwatchctl -n __rxwatchctl_first -a resources -d 'print the numbers of live objects of the daemon'
complete -c rxwatchctl -n __rxwatchctl_first -a fire -d 'make a source of kind interval, http or command emit or poll now, and print its event'
complete -c rxwatchctl -n __rxwatchctl_first -a spool -d 'list, show, try again or drop the events that wait for sinks'
complete -c rxwatchctl -n __rxwatchctl_first -a sync -d 'wait until all events so far are processed'
complete -c rxwatchctl -n __rxwatchctl_first -a tap -d 'print the events of sources and pipelines as they come'
complete -c rxwatchctl -n __rxwatchctl_first -a marbles -d 'show the events of nodes as diagrams that grow'
complete -c rxwatchctl -n __rxwatchctl_first -a top -d 'show a table of the nodes, updated each second'
complete -c rxwatchctl -n __rxwatchctl_first -a why -d 'print what happened to an event'
complete -c rxwatchctl -n __rxwatchctl_first -l version -d 'print the version and exit'
complete -c rxwatchctl -s h -l help -d 'print this help and exit'

function __rxwatchctl_command
    contains -- (__rxwatchctl_operands)[1] $argv
end

complete -c rxwatchctl -n '__rxwatchctl_command check test try replay show plan reload status graph resources fire spool sync tap why' \
    -l json -d 'print the answer as JSON'
complete -c rxwatchctl -n '__rxwatchctl_command plan reload status graph resources fire spool sync tap marbles top' \
    -l control -rF -d 'connect to the daemon at this socket'
complete -c rxwatchctl -n '__rxwatchctl_command check show replay' -F
complete -c rxwatchctl -n '__rxwatchctl_command test; and test (count (__rxwatchctl_operands)) -eq 1' -F
complete -c rxwatchctl -n '__rxwatchctl_command test; and test (count (__rxwatchctl_operands)) -gt 1' -a '(__rxwatchctl_tests)'
complete -c rxwatchctl -n '__rxwatchctl_command try; and test (count (__rxwatchctl_operands)) -eq 1' \
    -a '(__rxwatchctl_configured "sources|pipelines" (__rxwatchctl_path --config))'
complete -c rxwatchctl -n '__rxwatchctl_command try; and test (count (__rxwatchctl_operands)) -eq 2' -F
complete -c rxwatchctl -n '__rxwatchctl_command status' -a '(__rxwatchctl_nodes_and_sinks (__rxwatchctl_control))'
complete -c rxwatchctl -n '__rxwatchctl_command tap marbles' -a '(__rxwatchctl_nodes (__rxwatchctl_control))'
complete -c rxwatchctl -n '__rxwatchctl_command fire' -a '(__rxwatchctl_sources (__rxwatchctl_control))'
complete -c rxwatchctl -n '__rxwatchctl_command check' -l strict -d 'exit with status 78 also for warnings and notices'
complete -c rxwatchctl -n '__rxwatchctl_command test' -l junit -d 'print the results as JUnit XML'
complete -c rxwatchctl -n '__rxwatchctl_command try replay' -l config -rF -d 'read this configuration'
complete -c rxwatchctl -n '__rxwatchctl_command try replay' -l for -x -d 'end after this virtual time'
complete -c rxwatchctl -n '__rxwatchctl_command try replay' -l result -xa '(__rxwatchctl_given pipelines)' \
    -d 'let the sources in the steps of a pipeline emit this'
complete -c rxwatchctl -n '__rxwatchctl_command try; and not string match -q -- "*=*" (commandline -ct)' \
    -l with -xa '(__rxwatchctl_given "sources|pipelines")' -d 'let another node emit this before the events'
complete -c rxwatchctl -n '__rxwatchctl_command try; and string match -q -- "*=*" (commandline -ct)' -l with -rF
complete -c rxwatchctl -n '__rxwatchctl_command try' -l every -x -d 'let this time pass between two events'
complete -c rxwatchctl -n '__rxwatchctl_command replay' -l against -rF -d 'print the difference to this configuration'
complete -c rxwatchctl -n '__rxwatchctl_command graph' -l dot -d 'print the graph in the language of Graphviz'
complete -c rxwatchctl -n '__rxwatchctl_command graph' -l mermaid -d 'print the graph in the language of Mermaid'
complete -c rxwatchctl -n '__rxwatchctl_command graph' -l svg -d 'print the graph as a picture'
complete -c rxwatchctl -n '__rxwatchctl_command graph' -l subscriptions -d 'print the live subscriptions instead'
complete -c rxwatchctl -n '__rxwatchctl_command spool; and test (count (__rxwatchctl_operands)) -eq 1' -a 'list show retry drop'
complete -c rxwatchctl \
    -n '__rxwatchctl_command spool; and __rxwatchctl_action show retry drop; and test (count (__rxwatchctl_operands)) -eq 2' \
    -a '(__rxwatchctl_sinks (__rxwatchctl_control))'
complete -c rxwatchctl \
    -n '__rxwatchctl_command spool; and __rxwatchctl_action drop; and test (count (__rxwatchctl_operands)) -gt 2' \
    -a '(__rxwatchctl_ids)'
complete -c rxwatchctl -n '__rxwatchctl_command spool' -l all -d 'drop all events that wait for the sink'
complete -c rxwatchctl -n '__rxwatchctl_command spool' -l limit -x -d 'print at most this many events'
complete -c rxwatchctl -n '__rxwatchctl_command fire sync' -l timeout -x -d 'fail after this time'
complete -c rxwatchctl -n '__rxwatchctl_command marbles' -l frame -x -d 'the time that a character stands for'
complete -c rxwatchctl -n '__rxwatchctl_command resources' -l watch -d 'print the tables again each second'
complete -c rxwatchctl -n '__rxwatchctl_command tap' -l lifecycle -d 'print failures and subscriptions, too'
complete -c rxwatchctl -n '__rxwatchctl_command tap' -l record -d 'print a recording for rxwatchctl replay'
complete -c rxwatchctl -n '__rxwatchctl_command replay' -l journal -d 'take entries of the journal'
complete -c rxwatchctl -n '__rxwatchctl_command replay' -l since -x -d 'begin this long ago'
complete -c rxwatchctl -n '__rxwatchctl_command why replay' -l directory -xa '(__fish_complete_directories)' \
    -d 'read the journal files in this directory'
