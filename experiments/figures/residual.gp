# SPDX-License-Identifier: Apache-2.0
# residual.gp: the residual during the iterations, against time (left) and products with A
# (right). The grey line is the tolerance; a cross marks the end of a run that did not reach it.
file = 'data/' . name . '.dat'
out = name
panels = 2
widest = widest > 14 ? widest : 14 # "ended unsolved"
columns = key_columns(curves + 1, widest)
rows = key_rows(curves + 1, widest)
set ylabel "residual" offset 0.5, 0
set format x '10^{%T}'
set format y '10^{%T}'
set xrange [*:*]
set yrange [1e-17 < * : *]
unset mytics
set key at screen 0.5, screen 0.01 center bottom horizontal maxcols columns noenhanced
set arrow 1 from graph 0, first tolerance to graph 1, first tolerance nohead back lc rgb '#8a8a8a' lw 1.2 dt 1
# Points without time or work are drawn at the left edge: at the time of the first sample, and a
# third of a decade before the first product.
from(view) = view == 1 ? 0.8 * first : 0.3
at(view) = column(view) > from(view) ? column(view) : from(view)
do for [kind in terminals] {
    load 'gp/terminal.gp'
    set multiplot title cut(heading, 2 * line_length) noenhanced
    unset title
    do for [view = 1:2] {
        set origin 0.5 * (view - 1), 0
        set size 0.5, 1
        set tmargin 2.2
        set bmargin at screen key_height(rows)
        set xlabel (view == 1 ? 'solver time [s]' : 'products with A') offset 0, 0.4
        set logscale xy 10
        set xrange [from(view):*]
        set xtics autofreq
        if (view == 2) {
            set xtics 1, 10
            set xtics add ('0' from(view))
        }
        # An exact zero, and what is less than 1e-17, is drawn at the lower end of the axis.
        set ytics autofreq
        set ytics add ('0' 1e-17)
        plot for [i = 1:curves] file index (2 * i - 2) using (at(view)):3 with linespoints ls style_of(i) pointnumber 8 notitle, \
             for [i = 1:curves] file index (2 * i - 1) using (at(view)):3 with points pt 2 ps 0.9 lw 1.5 lc rgb pick(shades, i) notitle, \
             for [i = 1:(view == 1 ? curves : 0)] file index (2 * i - 2) using (NaN):3 with linespoints ls style_of(i) title cut_label(columnheader(1), label_length), \
             for [i = 1:(view == 1 ? 1 : 0)] file index 1 using (NaN):3 with points pt 2 ps 0.9 lw 1.5 lc rgb '#000000' title 'ended unsolved'
    }
    unset multiplot
    unset output
}
unset arrow 1
unset logscale
set xtics autofreq
set ytics autofreq
set origin 0, 0
set size 1, 1
set tmargin
set mytics default
