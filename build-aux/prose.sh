#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# prose.sh FOLDER: report each line of the text of the tree that matches a pattern of prose.txt.
# Exit status 1 when there is one.
set -eu
cd "$1"
files='libsolvers libdynamics command interop web experiments docs paper README.md CONTRIBUTING.md CHANGELOG.md'
list() {
    if [ -d .git ] || [ -f .git ]; then
        git ls-files $files
    else
        find $files -type f
    fi | grep -E '\.(c|h|md|sh|gp|mk|py)$'
}
tab=$(printf '\t')
found=0
while IFS=$tab read -r pattern advice; do
    case $pattern in '' | '#'*) continue ;; esac
    lines=$(list | xargs grep -nEi -- "$pattern" /dev/null || true)
    if [ -n "$lines" ]; then
        printf '%s\n' "$lines" | sed "s|\$|   [write: $advice]|"
        found=1
    fi
done <build-aux/prose.txt
exit $found
