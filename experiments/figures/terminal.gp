# SPDX-License-Identifier: Apache-2.0
# terminal.gp: set terminal and output for `kind` and `out`; the figure is `wide` x `tall(rows)`
# inches, with `panels` panels side by side and letters `points` high on paper. A point of a
# bitmap is 1/200 inch, one of an SVG 1/96; gnuplot's cairo counts a letter as 4/3 of its size.
across = wide * panels
font(scale) = sprintf(" font '%s,%g'", face, points * scale)
inches = sprintf(' size %gin,%gin', across, tall(rows))
dots = sprintf(' size %d,%d', across * 200, tall(rows) * 200)
endings = ' pdfcairo:pdf pdf:pdf epscairo:eps postscript:eps cairolatex:tex epslatex:tex tikz:tex pngcairo:png png:png jpeg:jpg gif:gif webp:webp svg:svg dumb:txt '
place = strstrt(endings, ' ' . kind . ':')
if (kind eq 'svg') {
    setting = sprintf(' size %d,%d', across * 96, tall(rows) * 96) . font(96.0 / 72) . " dashed background '#ffffff'"
} else { if (kind eq 'pngcairo' || kind eq 'webp') {
    setting = dots . font(2.1) . ' linewidth 2.2 pointscale 2' . (kind eq 'pngcairo' ? ' dashlength 0.7' : '')
} else { if (kind eq 'png' || kind eq 'jpeg' || kind eq 'gif') {
    setting = dots . font(2.1) . ' linewidth 2'
} else { if (kind eq 'dumb') {
    setting = sprintf(' size %d,%d', across * 24, tall(rows) * 12)
} else { if (kind eq 'postscript') {
    setting = ' eps color' . inches . font(2.0)
} else { if (kind eq 'tikz') {
    setting = inches
} else {
    setting = inches . font(1.0) . (strstrt(kind, 'cairo') ? ' fontscale 0.75' : '')
} } } } } }
eval 'set terminal ' . kind . setting
set output into . out . '.' . (place ? word(endings[place + strlen(kind) + 2:], 1) : kind)
# In SVG a line of text is half as high again as in the other formats.
set key spacing (kind eq 'svg' ? 0.75 : 1.05)
