#!/usr/bin/env bash
# Shows the main features. `make run` runs it after the build.
#
#   scripts/demo.sh FOLDER     the folder of intentd, intent-send and intentd-example-clock
#
# It starts a daemon in a private temporary folder and neither reads nor changes your files. It
# prints each command as you would type it, and below it the real output; it checks the exit status
# and a part of the output. On a terminal the daemon then runs until Ctrl-C, for you to try; else
# the script's status says whether all steps succeeded.
set -uo pipefail
cd "$(dirname "$0")/.."
programs=$(cd "$1" && pwd) || exit 1
project=$PWD

# A socket's path may have 107 bytes.
temporary=${TMPDIR:-/tmp}
((${#temporary} <= 60)) || temporary=/tmp
demo=$(mktemp -d "$temporary/intentd-demo.XXXXXX") || exit 1

daemon=
feed=
web=
failures=0
finish() {
  trap - EXIT INT TERM HUP
  # Best effort: they may have ended by themselves.
  [[ -z $web ]] || { kill "$web" && wait "$web"; } 2>/dev/null
  [[ -z $feed ]] || { kill "$feed" && wait "$feed"; } 2>/dev/null
  [[ -z $daemon ]] || { kill "$daemon" && wait "$daemon"; } 2>/dev/null
  rm -rf "$demo"
  exit "$1"
}
trap 'finish 1' EXIT TERM HUP
trap 'finish 130' INT

if [[ -t 1 && -z ${NO_COLOR:-} ]]; then bold=$'\e[1m' faint=$'\e[2m' plain=$'\e[0m'; else bold='' faint='' plain=''; fi

say() { printf '\n%s# %s%s\n' "$faint" "$1" "$plain"; }

# step EXPECTED COMMAND: runs COMMAND; its output must match EXPECTED, an extended regular
# expression.
step() {
  printf '%s$ %s%s\n' "$bold" "$2" "$plain"
  local output status
  output=$(eval "$2" 2>&1)
  status=$?
  printf '%s\n' "$output"
  if ((status != 0)); then
    failures=$((failures + 1))
    printf 'demo: that should have ended with 0, not with %s\n' "$status" >&2
  elif ! grep -Eq "$1" <<<"$output"; then
    failures=$((failures + 1))
    printf "demo: that should have printed something like '%s'\n" "$1" >&2
  fi
}

# MARK: a home for the daemon

export PATH=$programs:$project/Examples/viewer:$PATH
export INTENTD_SOCKET=$demo/intentd.sock
export XDG_CONFIG_HOME=$demo/config XDG_DATA_HOME=$demo/data
export XDG_STATE_HOME=$demo/state XDG_CACHE_HOME=$demo/cache
mkdir -p "$demo/config/widgets" "$demo/data/applications" "$demo/state" "$demo/cache"
for example in Examples/*/*.yaml; do
  cp -R "$(dirname "$example")" "$demo/config/widgets/"
done
cp Examples/viewer/*.desktop "$demo/data/applications/"

# A tap starts the viewer, which writes a line to this log and to this terminal.
viewer_log=$XDG_STATE_HOME/intentd-example-viewer.log
export EXAMPLE_VIEWER_TTY=
if [[ -t 1 ]]; then
  exec 3>&1
  EXAMPLE_VIEWER_TTY=$(tty 0<&3)
  exec 3>&-
fi

has_network() {
  python3 - <<'PYTHON' 2>/dev/null
import urllib.request
urllib.request.urlopen("https://api.open-meteo.com/v1/forecast?latitude=40&longitude=116&current=is_day", timeout=5)
PYTHON
}
if has_network; then
  # The network may fail a minute later; the widget then says so.
  weather='°|no network'
else
  weather='°.*sample|sample.*°'
  sed -i 's/^  # WEATHER_SAMPLE: \([^ ]*\).*/  WEATHER_SAMPLE: \1/' "$demo/config/widgets/weather/weather.yaml"
  say "No network here: the weather below is the shipped sample, and says so."
fi

# A server of this machine has the shipped sample, so that the download is real without a network. It
# writes its port when it listens.
python3 - "$project/Examples/headlines" "$demo/feed-port" <<'PYTHON' 2>/dev/null &
import functools, http.server, os, sys
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
with open(sys.argv[2] + ".new", "w") as file:
    file.write(str(server.server_address[1]))
os.rename(sys.argv[2] + ".new", sys.argv[2])
server.serve_forever()
PYTHON
feed=$!
for _ in {1..100}; do [[ -s $demo/feed-port ]] && break; sleep 0.1; done
feed_url=http://127.0.0.1:$(<"$demo/feed-port")/sample-feed.json
sed -i -e "s|HEADLINES_URL: .*|HEADLINES_URL: $feed_url|" -e '/^needs: network/d' \
  "$demo/config/widgets/headlines/headlines.yaml"

say "The daemon, with the example widgets, on a private socket."
printf '%s$ %s%s\n' "$bold" "export INTENTD_SOCKET=$INTENTD_SOCKET" "$plain"
printf '%s$ %s%s\n' "$bold" "intentd --config $demo/config --intents Intents &" "$plain"
touch "$demo/log"
intentd --config "$demo/config" --intents Intents </dev/null 2>>"$demo/log" &
daemon=$!
for _ in {1..300}; do
  grep -q 'event=configuration.loaded' "$demo/log" && break
  kill -0 "$daemon" 2>/dev/null || break
  sleep 0.1
done
cat "$demo/log"
if ! grep -q 'event=configuration.loaded errors=0' "$demo/log"; then
  printf 'demo: the daemon did not start as it should\n' >&2
  exit 1
fi

# MARK: the main job

say "Place widgets: each is asked for its timeline at once."
step 'Beijing' 'intent-send add org.intentd.example.weather --set city=Beijing'
step 'Tokyo' 'intent-send add org.intentd.example.clock --set city=Tokyo'
step 'agenda' 'intent-send add org.intentd.example.agenda'

say "An intent, as a sentence. It refreshes the widget configured for it and prints the answer."
step "Beijing.*|$weather" 'intent-send "show weather for Beijing"'

say "The same intent in Chinese."
step "$weather" 'intent-send "显示北京的天气"'

say "And from a URL. No widget is placed for London: the stack will suggest one."
step "London" 'intent-send open weather://city/London'

say "A kind that nobody has placed, as it would look."
step 'systemSmall, en' 'intent-send gallery --previews org.intentd.example.system'

say "The agenda comes compact and expanded, and has a row that shows more of it."
step 'expanded' 'intent-send expand agenda'
step 'collapsed' 'intent-send collapse agenda'

say "A row may set a value of its widget: this one shows more, in its place, and opens no app."
step 'agenda|set|rows' 'intent-send tap agenda --item 5'

if [[ -x $programs/intent-fetch ]]; then
  say "A widget from a download: its own program opens no connection. The server is one on loopback."
  step 'headlines' 'intent-send add org.intentd.example.headlines'
  step 'without a connection' 'intent-send show headlines'
  say "The same program in a script: a cache that also works offline, and says how old its copy is."
  step 'Sample feed' "intent-fetch $feed_url | head -n 3"
  step 'seconds? old' "intent-fetch --offline --path $feed_url"
fi

say "A host app's data changed: it asks for all widgets anew, and hears what became of each request."
step '(done|coalesced|deferred)' 'python3 Examples/host-app.py'
if [[ -x $programs/HostAppExample ]]; then
  say "The same from Swift, through WidgetKit: Examples/HostApp."
  step 'weather .*(done|coalesced|deferred)' 'HostAppExample reload'
fi

say "An app and its widget share a folder. Until the app writes a login there, nobody is logged in."
step 'Logged out' 'intent-send add org.intentd.example.account && intent-send show account'
step 'Ada' 'python3 Examples/account/account-app.py login Ada 3 && intent-send show account'

# The page needs a package of its own, so it is shown where somebody built or installed it.
if page=$(type -P intent-web); then
  say "The same widgets on a page in the browser. A reload that brings nothing new touches nothing there."
  "$page" --port 0 >/dev/null 2>>"$demo/log" &
  web=$!
  sleep 0.5
  step 'http://127.0.0.1:[0-9]+' 'intent-send web --print'
fi

say "The smart stack: what is on top now, and why."
step 'weather' 'intent-send stack --explain'

say "A tap opens the app behind the widget, at the right place: here a viewer that prints its URL."
step 'weather://city/Beijing' 'intent-send tap weather'
for _ in {1..50}; do
  [[ -s $viewer_log ]] && break
  sleep 0.1
done
sleep 0.1  # it writes to the log first
if [[ -z $EXAMPLE_VIEWER_TTY ]]; then
  step 'opened weather://city/Beijing' 'cat "$XDG_STATE_HOME/intentd-example-viewer.log"'
elif ! grep -q 'opened weather://city/Beijing' "$viewer_log" 2>/dev/null; then
  failures=$((failures + 1))
  printf 'demo: the viewer did not start\n' >&2
fi

if ((failures)); then
  printf '\ndemo: %s steps went wrong; the daemon said:\n' "$failures" >&2
  cat "$demo/log" >&2
  finish 1
fi

if [[ ! -t 0 || ! -t 1 ]]; then
  say "Every step went well. (On a terminal the daemon would stay for you to play with.)"
  finish 0
fi

say "The daemon stays until Ctrl-C. To play with it, in another terminal:"
cat <<END
  export INTENTD_SOCKET=$INTENTD_SOCKET
  export PATH=$programs:\$PATH
  intent-send "what time is it in Mumbai"
  intent-send widgets
  intent-send follow --stack
  intent-send --help
END
trap 'printf "\n"; finish 0' INT
wait "$daemon"
printf 'demo: the daemon ended with %s; it said:\n' "$?" >&2
cat "$demo/log" >&2
daemon=
finish 1
