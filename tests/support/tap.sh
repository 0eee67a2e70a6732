# SPDX-License-Identifier: Apache-2.0
# Read by test scripts that set $suite, their name, and $work, a folder of their own. Speaks TAP;
# $count counts the lines.
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT
count=0

ok() { # ok RESULT SENTENCE: what is in found, out and err of $work explains a failure
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $count - $suite: $2"
    else
        echo "not ok $count - $suite: $2"
        sed 's/^/#   /' "$work/found" "$work/out" "$work/err" 2>/dev/null
    fi
}
