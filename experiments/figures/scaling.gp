# SPDX-License-Identifier: Apache-2.0
# scaling.gp: time against size, both logarithmic, with the fitted power; crosses failed.
file = 'data/' . name . '.dat'
out = name
set title heading offset 0, -0.5 noenhanced
set xlabel 'rows n' offset 0, 0.4
set ylabel 'time [s]'
set logscale xy 10
set xrange [*:*]
set yrange [*:*]
set format x '%g'
set format y '10^{%T}'
set key outside center bottom horizontal maxcols 2 enhanced
do for [kind in terminals] {
    load 'gp/terminal.gp'
    plot for [i = 1:curves] file index (3 * i - 3) using 1:2 with points ls i title columnheader(1), \
         for [i = 1:curves] file index (3 * i - 1) using 1:2 with lines ls i notitle, \
         for [i = 1:curves] file index (3 * i - 2) using 1:2 with points pt 2 ps 0.8 lc rgb shade(i) notitle
    unset output
}
unset logscale
