# Sourced by the scenarios that count instructions: each line of bench.txt is what a program took.

# count NAME COMMAND... : a program from start to end.
count() {
    local TIMEFORMAT='%3U %3S' name=$1
    shift
    { time "$@" 2>&3; } 3>&2 2>cost
    awk -v name="$name" '{ printf "name=%s instructions=%.0f\n", name, ($1 + $2) * 1e9 }' cost >>bench.txt
}

# count_take NAME : the recorder while armed, and during a take.
count_take() {
    start_recorder
    echo "name=fieldcorder_$1 start_instructions=$(recorder_instructions)" >>bench.txt
    # The library's process reads what is on the card. Once it has ended, what it used is missing from the count, so it
    # must end before that begins.
    sleep 30
    count_recorder "armed_$1" sleep $seconds
    count_recorder "$1" take
    stop_recorder
}

take() {
    console 'record start'
    sleep $seconds
    console 'record stop'
    wait_for_state armed
}

# count_recorder NAME COMMAND... : the recorder's processes while the command runs, and how often they woke.
count_recorder() {
    local name=$1 instructions wakes
    shift
    instructions=$(recorder_instructions)
    wakes=$(recorder_wakes)
    "$@"
    echo "name=fieldcorder_$name instructions=$(($(recorder_instructions) - instructions)) \
wakes=$((($(recorder_wakes) - wakes) / seconds))" >>bench.txt
}

# recorder_processes : the recorder and its children, and the monitor if there is one.
monitor_pid=
recorder_processes() {
    echo "$recorder_pid" $monitor_pid
    cat /proc/"$recorder_pid"/task/*/children
}

# recorder_instructions : the processor time of all their threads, in nanoseconds.
recorder_instructions() {
    # shellcheck disable=SC2046 # word splitting is intended
    process_instructions $(recorder_processes)
}
process_instructions() {
    local process
    for process in "$@"; do cat /proc/"$process"/task/*/schedstat; done | awk '{ sum += $1 } END { printf "%.0f\n", sum }'
}

# recorder_wakes : their threads' voluntary context switches.
recorder_wakes() {
    local process
    for process in $(recorder_processes); do cat /proc/"$process"/task/*/status; done \
        | awk '/^voluntary/ { sum += $2 } END { print sum }'
}

# count_process NAME PID COMMAND... : a process while the command runs.
count_process() {
    local name=$1 pid=$2 before
    shift 2
    before=$(process_instructions "$pid")
    "$@"
    echo "name=$name instructions=$(($(process_instructions "$pid") - before))" >>bench.txt
}
