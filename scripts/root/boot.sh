#!/usr/bin/env bash
# Starts the system in a folder that make.sh made; returns when it is up.
#
#   scripts/root/boot.sh ROOT
set -euo pipefail
root=$(readlink -f "$1")

# A group of its own, below which systemd makes its tree.
groups=/sys/fs/cgroup
[[ ! -d $groups/unified ]] || groups+=/unified
group=$groups/root-$(basename "$root")-$$
mkdir "$group" 2>/dev/null || group=

# In the namespaces, before systemd. It needs pivot_root: in a chroot nobody may make a namespace of
# users, and units with PrivateUsers= would fail.
start='
  set -eu
  root=$1
  mount --make-rprivate /
  mount --bind "$root" "$root"
  cd "$root"
  mount -t proc proc proc
  # The settings of the kernel are those of the machine: read-only, as modules and the clock below.
  mount --bind proc/sys proc/sys
  mount -o remount,bind,ro proc/sys
  mount -t sysfs -o ro sysfs sys
  mount -t cgroup2 cgroup2 sys/fs/cgroup || {
    mount -t tmpfs tmpfs sys/fs/cgroup
    mount -t cgroup2 cgroup2 sys/fs/cgroup
  }
  mount -t tmpfs -o mode=755 tmpfs run
  mount -t tmpfs tmpfs tmp
  mount -t tmpfs -o mode=755 tmpfs dev
  for device in null zero full random urandom tty; do
    touch "dev/$device"
    mount --bind "/dev/$device" "dev/$device"
  done
  mkdir dev/pts dev/shm
  mount -t devpts -o newinstance,ptmxmode=666 devpts dev/pts
  mount -t tmpfs tmpfs dev/shm
  ln -s pts/ptmx dev/ptmx
  ln -s /proc/self/fd dev/fd
  mkdir run/host run/systemd
  # So that systemd knows that it runs in a container.
  echo folder >run/host/container-manager
  mkdir -p .outside
  pivot_root . .outside
  umount -l /.outside
  exec setpriv --bounding-set=-sys_module,-sys_time,-sys_rawio \
    env -i container=folder PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    /lib/systemd/systemd --log-target=console --show-status=no
'
(
  [[ -z $group ]] || echo "$BASHPID" >"$group/cgroup.procs"
  exec unshare --cgroup --pid --mount --uts --ipc --net --fork sh -c "$start" boot "$root"
) >"$root.log" 2>&1 </dev/null &
supervisor=$!
echo "$supervisor" >"$root.pid"
echo "$group" >"$root.group"

here=$(dirname "$0")
for _ in {1..600}; do
  if ! kill -0 "$supervisor" 2>/dev/null; then break; fi
  # Until systemd listens, this fails at once.
  case $("$here/in.sh" "$root" systemctl is-system-running 2>/dev/null || true) in
    running | degraded) exit 0 ;;
  esac
  sleep 0.1
done
printf 'boot: the system in %s did not come up; it said:\n' "$root" >&2
tail -n 20 "$root.log" >&2
exit 1
