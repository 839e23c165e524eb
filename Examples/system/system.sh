#!/bin/sh
# System: load, memory, disk, temperature and battery, as a one-shot provider in POSIX shell and
# awk.
#
# It is an example of a provider without a JSON library. It needs only the moment (`now`) of the
# request, which sed finds. awk prints the answer, which contains only numbers and words made here,
# so nothing has to be escaped.
#
# A figure that this machine does not have is left out and never shown as 0.
# SYSTEM_ROOT is a folder that stands in for / in tests.
set -eu
LC_ALL=C # a decimal point is a point, everywhere
export LC_ALL
root=${SYSTEM_ROOT:-}

# "2026-11-20T21:00:00Z" → "2026-11-20 21:00:00", which both GNU's and busybox's date read.
now=$(sed -n 's/.*"now" *: *"\([0-9-]*\)T\([0-9:]*\)[^"]*".*/\1 \2/p')
[ -n "$now" ] || { echo "system: the request has no date in \"now\"" >&2; exit 65; }
seconds=$(date -u -d "$now" +%s)
rfc3339() { date -u -d "@$1" +%Y-%m-%dT%H:%M:%SZ; }

# The hottest zone, in thousandths of a degree. Zones that refuse to be read are left out.
temperature=$(cat "$root"/sys/class/thermal/thermal_zone*/temp 2>/dev/null | sort -n | tail -n 1)

# The machine's first battery. The battery of a mouse or a headset has the scope Device.
battery= charging=
for supply in "$root"/sys/class/power_supply/*; do
    [ "$(cat "$supply/type" 2>/dev/null)" = Battery ] || continue
    [ "$(cat "$supply/scope" 2>/dev/null)" != Device ] || continue
    battery=$(cat "$supply/capacity" 2>/dev/null) || battery=
    charging=$(cat "$supply/status" 2>/dev/null) || charging=
    break
done

# POSIX output has a line per file system, whose fifth field is "42%". df waits for ever on a dead
# network disk, so ask it about the root only.
disk=$(df -P / 2>/dev/null | awk 'NR == 2 { sub(/%/, "", $5); print $5 }')

awk -v date="$(rfc3339 "$seconds")" -v after="$(rfc3339 $((seconds + 300)))" \
    -v temperature="$temperature" -v battery="$battery" -v charging="$charging" -v disk="$disk" '
FILENAME ~ /loadavg$/ { load = $1 }
FILENAME ~ /cpuinfo$/ && /^processor/ { processors++ }
$1 == "MemTotal:" { total = $2 }
$1 == "MemAvailable:" { available = $2 }

function item(text) { items = items (items == "" ? "" : ",") sprintf("{\"text\":\"%s\"}", text) }
function class(name) { classes = classes (classes == "" ? "" : ",") "\"" name "\"" }

END {
    score = 10; urgent = "false"
    if (total > 0) {
        memory = int(100 * (total - available) / total + 0.5)
        text = sprintf("load %.2f, memory %d %%", load, memory)
        item(sprintf("memory %d %% of %.1f GiB", memory, total / 1048576))
        if (memory > 90) { urgent = "true"; class("memory-high"); score = 95 }
    } else text = sprintf("load %.2f", load)
    item(sprintf("load %.2f on %d processors", load, processors))
    if (processors > 0 && load > 2 * processors) { class("load-high"); if (score < 60) score = 60 }
    if (disk != "") {
        item(sprintf("disk %d %%", disk))
        if (disk > 95) { class("disk-full"); if (score < 80) score = 80 }
    }
    if (temperature != "") {
        item(sprintf("%.0f °C", temperature / 1000))
        if (temperature > 90000) { class("hot"); if (score < 70) score = 70 }
    }
    if (battery != "") {
        item(sprintf("battery %d %%%s", battery, charging == "Charging" ? ", charging" : ""))
        if (battery <= 10 && charging == "Discharging") {
            urgent = "true"; class("battery-low"); score = 95
        }
    }
    printf "{\"entries\":[{\"date\":\"%s\",\"relevance\":{\"score\":%d,\"duration\":300},", date, score
    printf "\"content\":{\"title\":\"System\",\"text\":\"%s\",\"short\":\"%.2f\",", text, load
    printf "\"symbol\":\"%s\",", urgent == "true" ? "exclamationmark.triangle" : "cpu"
    if (total > 0) printf "\"percentage\":%d,", memory
    printf "\"urgent\":%s,\"class\":[%s],\"items\":[%s],", urgent, classes, items
    # Old figures of a machine are worse than none: three runs that did not come, and a surface
    # may grey them out.
    printf "\"asOf\":\"%s\",\"staleAfter\":900},", date
    printf "\"url\":\"system://status\"}],\"policy\":{\"after\":\"%s\"}}\n", after
}' "$root/proc/loadavg" "$root/proc/cpuinfo" "$root/proc/meminfo"
