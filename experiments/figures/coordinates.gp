# SPDX-License-Identifier: Apache-2.0
# coordinates.gp: drift of joints, energy error and time per step against the number of links, for
# every solver in every system of coordinates. A point is a scene, a line a family of scenes. A
# cross marks a run that failed: at its values, or above all others where it has none.
file = 'data/' . name . '.dat'
out = name
panels = 3
widest = widest > 14 ? widest : 14 # "ended unsolved"
columns = key_columns(curves + 1, widest)
rows = key_rows(curves + 1, widest)
array lows[3] = [low1, low2, low3]
array highs[3] = [high1, high2, high3]
array views[3] = ['drift of joints [m]', 'relative energy error', 'time per step [s]']
set format x '%g'
set xtics (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000)
set format y '10^{%T}'
unset mytics
set key at screen 0.5, screen 0.01 center bottom horizontal maxcols columns noenhanced
do for [kind in terminals] {
    load 'gp/terminal.gp'
    set multiplot title cut(heading, 3 * line_length) noenhanced
    unset title
    do for [view = 1:3] {
        set origin (view - 1) / 3.0, 0
        set size 1 / 3.0, 1
        set tmargin 2.2
        set bmargin at screen key_height(rows)
        set xlabel 'links' offset 0, 0.4
        set ylabel views[view] offset 0.5, 0
        set xrange [least / 1.5:most * 1.5]
        set yrange [lows[view]:highs[view]]
        set logscale xy 10
        set ytics autofreq
        # An exact zero, and what is less than 1e-17, is drawn at the lower end of the axis.
        if (view < 3) { set ytics add ('0' 1e-17) }
        plot for [i = 1:curves] file index (3 * i - 2) using 1:(column(view + 1)) with lines ls style_of(i) notitle, \
             for [i = 1:curves] file index (3 * i - 3) using 1:(column(view + 1)) with points ls style_of(i) ps 0.7 notitle, \
             for [i = 1:curves] file index (3 * i - 1) using 1:(column(view + 1)) with points pt 2 ps 0.9 lw 1.5 lc rgb pick(shades, i) notitle, \
             for [i = 1:(view == 1 ? curves : 0)] file index (3 * i - 3) using (NaN):2 with linespoints ls style_of(i) title cut_label(columnheader(1), label_length), \
             for [i = 1:(view == 1 ? 1 : 0)] file index 2 using (NaN):2 with points pt 2 ps 0.9 lw 1.5 lc rgb '#000000' title 'ended unsolved'
    }
    unset multiplot
    unset output
}
unset logscale
set xtics autofreq
set ytics autofreq
set origin 0, 0
set size 1, 1
set tmargin
set mytics default
