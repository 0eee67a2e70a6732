#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# recipe.sh SOURCE: the recipe of docs/install.md on a clone of the last commit, in a home folder of its own:
# build, install, the programs of docs/c.md against it, removal. A few minutes.
set -eu
source=$(cd "$1" && pwd)
HOME=$(mktemp -d)
export HOME
trap 'rm -rf "$HOME"' EXIT
git clone --quiet "$source" "$HOME/perp"
cd "$HOME/perp"
sed -n '/^<!-- recipe/,/^<!-- end of recipe/s/^    //p' docs/install.md >"$HOME/recipe"
[ "$(wc -l <"$HOME/recipe")" -ge 5 ]
# shellcheck source=/dev/null
. "$HOME/recipe"

PKG_CONFIG_PATH=$HOME/.local/lib/pkgconfig
LD_LIBRARY_PATH=$HOME/.local/lib
export PKG_CONFIG_PATH LD_LIBRARY_PATH
for program in box formulate; do
    # shellcheck disable=SC2046 # flags
    cc "$HOME/.local/share/doc/perp/examples/$program.c" -o "$HOME/$program" $(pkg-config --cflags --libs perp-dynamics)
done
"$HOME/box"
"$HOME/formulate" "$HOME/.local/share/perp/experiments/scenes/box-pyramid.json" "$HOME/step.hdf5"
"$HOME/.local/bin/perp" solve "$HOME/step.hdf5" --solver nsgs
"$HOME/.local/bin/perp" info solvers >/dev/null
make uninstall >/dev/null
left=$(find "$HOME/.local" -type f -o -type l)
[ -z "$left" ] || { echo "left after make uninstall: $left"; exit 1; }
echo "recipe: built, installed, used and removed"
