#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tutorial.sh: each command of docs/tutorial.md and README.md ends with the given exit status ("# exit N") and
# prints the lines shown there, in that order; "…" stands for any text, and all blanks are equal.
# Prints TAP.
set -u
source=${PERP_SOURCE:-.}
build=$(cd "${PERP_BUILD:-.}" && pwd)
work=$build/tests/scratch/tutorial-$$
PATH=$build:$PATH
NO_COLOR=1
export PATH NO_COLOR
mkdir -p "$work/run"
trap 'rm -rf "$work"' EXIT
ln -s "$(cd "${PERP_DATASETS:-$source/datasets}" && pwd)" "$work/run/datasets"

# The files, each under the name that the text before it gives in backquotes; then commands N in
# $work/N.sh, and what is shown of their output in $work/N.shown.
awk -v run="$work/run" '
    /^```json/ { inside = 1; next }
    /^```/ { inside = 0 }
    inside { print >(run "/" name); next }
    match($0, /`[a-z]*\.json`/) { name = substr($0, RSTART + 1, RLENGTH - 2) }' \
    "$source/docs/tutorial.md" "$source/README.md"
count=$(awk -v work="$work" '
    /^```console/ { inside = 1; next }
    /^```/ { inside = 0 }
    inside && /^\$ / { print substr($0, 3) >(work "/" (++n) ".sh"); next }
    inside && n { print >(work "/" n ".shown") }
    END { print n + 0 }' "$source/docs/tutorial.md" "$source/README.md")

# Do the lines of the first file stand in the second, in this order?
shown() {
    [ ! -e "$1" ] || awk '
        function squeeze(s) { gsub(/[ \t]+/, " ", s); return s }
        function like(line, pattern,    part, k, n, at) {
            n = split(pattern, part, "…")
            if (n == 1) return line == pattern
            for (k = 1; k <= n; k++) {
                at = index(line, part[k])
                if (part[k] != "" && (!at || (k == 1 && at != 1))) return 0
                if (part[k] != "") line = substr(line, at + length(part[k]))
            }
            return part[n] == "" || line == ""
        }
        NR == FNR { if ($0 != "…") want[++wanted] = squeeze($0); next }
        found < wanted && like(squeeze($0), want[found + 1]) { found++ }
        END { if (found < wanted) { print "not printed: " want[found + 1]; exit 1 } }' "$1" "$2"
}

cd "$work/run" || exit 99
n=0
while [ "$n" -lt "$count" ]; do
    n=$((n + 1))
    command=$(cat "$work/$n.sh")
    case $command in
    *small* | *mine*)
        if ! gnuplot --version >/dev/null 2>&1; then
            echo "ok $n - tutorial: $command # SKIP no gnuplot"
            continue
        fi ;;
    esac
    expected=$(sed -n 's/.*# exit \([0-9]*\)$/\1/p' "$work/$n.sh")
    sh "$work/$n.sh" >"$work/out" 2>"$work/err"
    status=$?
    text=$(printf '%s' "$command" | sed 's/ *# exit [0-9]*$//')
    if [ "$status" -eq "${expected:-0}" ] && shown "$work/$n.shown" "$work/out" >"$work/why"; then
        echo "ok $n - tutorial: $text"
    else
        echo "not ok $n - tutorial: $text"
        echo "#   exit status $status"
        sed 's/^/#   /' "$work/why" "$work/out" "$work/err" 2>/dev/null
    fi
done
if [ "$count" -lt 10 ]; then
    echo "Bail out! only $count commands found in the tutorial"
fi
echo "1..$count"
