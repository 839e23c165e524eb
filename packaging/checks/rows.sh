# Rows of check-deb: a row is a check that can fail. check-deb.sh reads this file.

failures=0 skipped=0
# The first words of a row: the system that it is about.
where=

say() { printf '%-8s%s%s\n' "$1" "$where" "$2"; }

# fail NAME OUTPUT: a row that failed, and what was said meanwhile.
fail() {
  failures=$((failures + 1))
  say FAILED "$1"
  [[ -z $2 ]] || sed 's/^/          /' <<<"$2"
}

# check NAME COMMAND…: a row; the command's output appears if it fails.
check() {
  local name=$1 output
  shift
  if output=$("$@" 2>&1 </dev/null); then say ok "$name"; else fail "$name" "$output"; fi
}

# at_most NAME VALUE MAX: a row for a figure, which may have decimals.
at_most() {
  if awk -v value="$2" -v max="$3" 'BEGIN { exit !(value ~ /^[0-9.]+$/ && value + 0 <= max) }'; then
    say ok "$1: $2, at most $3"
  else
    fail "$1: $2, at most $3" ''
  fi
}

skip() {
  skipped=$((skipped + 1))
  say skipped "$1"
}
