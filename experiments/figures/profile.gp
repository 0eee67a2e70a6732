# SPDX-License-Identifier: Apache-2.0
# profile.gp: performance profile as a staircase. A curve that ends below 1 shows failures.
file = 'data/' . name . '.dat'
out = name
set title heading offset 0, -0.5 noenhanced
set xlabel 'time ratio to the best solver' offset 0, 0.4
set ylabel 'share of all problems'
unset logscale
set logscale x 2
set xrange [1:far]
set yrange [-0.01:1.02]
set format x '%g'
set format y '%g'
set key outside center bottom horizontal maxcols 2 noenhanced
do for [kind in terminals] {
    load 'gp/terminal.gp'
    plot for [i = 1:curves] file index (i - 1) using 1:2 with steps ls i title columnheader(1)
    unset output
}
