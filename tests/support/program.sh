# SPDX-License-Identifier: Apache-2.0
# program.sh: sets $perp to the program below $build, for tests that count its calls. In a build with shared
# libraries $build/perp is a script of libtool with calls of its own.
# shellcheck shell=sh disable=SC2034,SC2154 # $perp, $build
perp=$build/perp
if [ -x "$build/.libs/perp" ]; then
    perp=$build/.libs/perp
    LD_LIBRARY_PATH=$build/libsolvers/.libs:$build/libdynamics/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export LD_LIBRARY_PATH
fi
