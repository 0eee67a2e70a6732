# SPDX-License-Identifier: Apache-2.0
# profile.gp: performance profile as a staircase. A curve that ends below 1 shows failures.
file = 'data/' . name . '.dat'
out = name
panels = 1
columns = key_columns(curves, widest)
rows = key_rows(curves, widest)
set title cut(heading, line_length) offset 0, -0.5 noenhanced
set xlabel 'time ratio to the best solver' offset 0, 0.4
set ylabel 'share of all problems' offset 0.5, 0
unset logscale
set xrange [1:far]
set yrange [-0.03:1.03]
set xtics autofreq
# Ticks at few steps, at powers of two or of ten: by the range of the ratios.
if (far <= 8) {
    set logscale x 2
    set format x '%g'
    set xtics (1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8)
} else { if (far <= 600) {
    set logscale x 2
    set format x '%g'
} else {
    set logscale x 10
    set format x '10^{%T}'
} }
set format y '%g'
set ytics 0.2
set key at screen 0.5, screen 0.01 center bottom horizontal maxcols columns noenhanced
set bmargin at screen key_height(rows)
do for [kind in terminals] {
    load 'gp/terminal.gp'
    # Some points on the curve and one at its end, where solvers differ in what they solve.
    plot for [i = 1:curves] file index (i - 1) using 1:2 with steps ls style_of(i) notitle, \
         for [i = 1:curves] file index (i - 1) using 1:2 with linespoints ls style_of(i) lw 0 lt nodraw pointnumber 7 notitle, \
         for [i = 1:curves] file index (i - 1) using ($1 >= 0.999 * far ? far : NaN):2 with points ls style_of(i) ps 0.7 notitle, \
         for [i = 1:curves] file index (i - 1) using (NaN):2 with linespoints ls style_of(i) title cut_label(columnheader(1), label_length)
    unset output
}
unset logscale
set xtics autofreq
set ytics autofreq
