#!/bin/sh
# One big machine: every entry of a folder of captures (a session folder, or a file) is a part of its own, some at a time.
#
# usage: facts.sh CAPTURES OUT [JOBS]     TOOLCOST names the program; ARGS holds further flags of `toolcost facts`
#
# OUT gets request_tools-<part>.ndjson, requests-<part>.ndjson and report-<part>.json. A session must lie whole in one entry.
set -eu
captures=$1 out=$2 jobs=${3:-2}
mkdir -p "$out"
export TOOLCOST="${TOOLCOST:-toolcost}" ARGS="${ARGS:-}" OUT="$out"
# One thread a process: xargs is what spreads the work. xargs ends with 123 where a part failed.
find "$captures" -mindepth 1 -maxdepth 1 -print0 | xargs -0 -n 1 -P "$jobs" sh -c '
  set -eu
  name=$(basename "$1")
  for table in request_tools requests; do
    # shellcheck disable=SC2086 # ARGS holds several words
    "$TOOLCOST" facts --run "$name=$1" --table "$table" --jobs 1 $ARGS -o "$OUT/$table-$name.ndjson"
  done
  # shellcheck disable=SC2086
  "$TOOLCOST" report --run "$name=$1" --jobs 1 -q $ARGS -f json -o "$OUT/report-$name.json"
' part
