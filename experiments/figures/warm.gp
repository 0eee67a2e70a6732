# SPDX-License-Identifier: Apache-2.0
# warm.gp: iterations at each step of a sequence, for every solver with cold and warm starts. A
# step without iterations is drawn at the lower end of the axis; a cross marks a step that failed.
file = 'data/' . name . '.dat'
out = name
panels = 1
columns = key_columns(curves + 1, widest)
rows = key_rows(curves + 1, widest)
set title cut(heading, line_length) offset 0, -0.5 noenhanced
set xlabel 'step' offset 0, 0.4
set ylabel 'iterations' offset 0.5, 0
set xrange [*:*]
set yrange [0.5:*]
set logscale y 10
set format x '%g'
set format y '10^{%T}'
set ytics autofreq
set ytics add ('0' 0.5)
set key at screen 0.5, screen 0.01 center bottom horizontal maxcols columns noenhanced
set bmargin at screen key_height(rows)
at_foot(y) = y > 0.5 ? y : 0.5
do for [kind in terminals] {
    load 'gp/terminal.gp'
    plot for [i = 1:curves] file index (2 * i - 2) using 1:(at_foot($2)) with linespoints ls style_of(i) pointnumber 8 notitle, \
         for [i = 1:curves] file index (2 * i - 1) using 1:(at_foot($2)) with points pt 2 ps 0.9 lw 1.5 lc rgb pick(shades, i) notitle, \
         for [i = 1:curves] file index (2 * i - 2) using (NaN):2 with linespoints ls style_of(i) title cut_label(columnheader(1), label_length), \
         file index 1 using (NaN):2 with points pt 2 ps 0.9 lw 1.5 lc rgb '#000000' title 'failed'
    unset output
}
unset logscale
set ytics autofreq
