# SPDX-License-Identifier: Apache-2.0
# scaling.gp: time against size, both logarithmic, with the power fitted to the solved runs.
# A run without a time of its own (a crash, an unsuitable problem) is drawn at its time limit.
file = 'data/' . name . '.dat'
out = name
panels = 1
columns = key_columns(curves + 1, widest + 15)
rows = key_rows(curves + 1, widest + 15)
set title cut(heading, line_length) offset 0, -0.5 noenhanced
set xlabel 'rows n' offset 0, 0.4
set ylabel 'time [s]' offset 0.5, 0
set xrange [*:*]
set yrange [*:*]
set logscale xy 10
set format x '%g'
set format y '10^{%T}'
set key at screen 0.5, screen 0.01 center bottom horizontal maxcols columns noenhanced
set bmargin at screen key_height(rows)
do for [kind in terminals] {
    load 'gp/terminal.gp'
    plot for [i = 1:curves] file index (3 * i - 1) using 1:2 with lines ls style_of(i) notitle, \
         for [i = 1:curves] file index (3 * i - 3) using 1:2 with points ls style_of(i) ps 0.6 notitle, \
         for [i = 1:curves] file index (3 * i - 2) using 1:2 with points pt 2 ps 0.7 lw 1.3 lc rgb pick(shades, i) notitle, \
         for [i = 1:curves] file index (3 * i - 3) using (NaN):2 with linespoints ls style_of(i) title cut_label(columnheader(1), label_length), \
         file index 1 using (NaN):2 with points pt 2 ps 0.7 lw 1.3 lc rgb '#000000' title 'ended unsolved'
    unset output
}
unset logscale
