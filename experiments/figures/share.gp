# SPDX-License-Identifier: Apache-2.0
# share.gp: the share of all problems of a set that each solver solved, and how the others ended.
# The shades of the four endings differ in black and white, too.
file = 'data/' . name . '.dat'
out = name
panels = 1
columns = key_columns(4, 21)
rows = key_rows(4, 21)
# The title is centred on the whole figure, since long labels leave little room over the bars.
unset title
set label 1 cut(heading, line_length) at screen 0.5, screen 0.96 center noenhanced
set tmargin at screen 0.92
unset logscale
set xlabel 'share of all problems' offset 0, 0.4
unset ylabel
set xrange [0:1]
set yrange [curves - 0.4:-0.6]
set format x '%g'
set xtics 0.2
set ytics nomirror scale 0 noenhanced
set style fill solid 1.0 border lc rgb '#000000'
set key at screen 0.5, screen 0.01 center bottom horizontal maxcols columns noenhanced
set bmargin at screen key_height(rows)
colour = '#16324f #a9c4e4 #c4622d #ffffff'
meaning = '"solved" "solved its model only" "failed" "unsuitable or not run"'
before(k) = k == 1 ? 0 : (k == 2 ? column(2) : (k == 3 ? column(2) + column(3) : column(2) + column(3) + column(4)))
do for [kind in terminals] {
    load 'gp/terminal.gp'
    plot for [k = 1:4] file every ::1 using (before(k)):0:(before(k)):(before(k) + column(k + 1)):($0 - 0.36):($0 + 0.36):ytic(cut(strcol(1), line_length / 2)) \
        with boxxyerror lw 0.7 fc rgb word(colour, k) title word(meaning, k)
    unset output
}
set xtics autofreq
set ytics autofreq nomirror scale 0.5 enhanced
unset label 1
set tmargin
