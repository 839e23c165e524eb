#!/usr/bin/env bash
# Builds the tests under a sanitizer and runs the suites that fit it:
#
#   scripts/sanitize.sh address    C handles, buffers, SQLite and libyaml
#   scripts/sanitize.sh thread     the store's thread
set -euo pipefail
cd "$(dirname "$0")/.."

programs=''
case ${1:-} in
  address)
    suites='EventLoopTests StoreTests DocumentsTests NumberWordsTests JSONTests JSONRPCTests'
    suites+=' WidgetKitTests IntentSendTests DaemonRuntimeTests WebPagesTests PanelPicturesTests'
    suites+=' WebServerTests UserBusTests'
    # The tests of runs start it as their supervisor.
    programs='intentd'
    # Swift's runtime keeps its metadata until the end, which counts as a leak.
    export ASAN_OPTIONS=detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}
    ;;
  thread)
    # It does not see Synchronization.Mutex, which is a futex in a library that is not instrumented:
    # each access under one is reported as a race. The store has locks of pthread, and no such lock.
    suites='StoreTests'
    export TSAN_OPTIONS=halt_on_error=1${TSAN_OPTIONS:+:$TSAN_OPTIONS}
    ;;
  *)
    printf 'sanitize: name the sanitizer: address or thread\n' >&2
    exit 64
    ;;
esac

# Package.swift leaves out every target that these do not need.
export INTENTD_TARGETS="$suites $programs"
scratch=.build-${1:0:1}san
swift build --build-tests --sanitize "$1" --scratch-path "$scratch"
swift test --skip-build --sanitize "$1" --scratch-path "$scratch" --filter "^(${suites// /|})\\." \
  --skip ExitTests
