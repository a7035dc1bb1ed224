# The scenario `sleep` with 200 suspensions: board/rig/run board/reliability/sleep-cycles.sh
. "$checkout/board/rig/scenarios/sleep.sh"
cycles=200
windows=4
