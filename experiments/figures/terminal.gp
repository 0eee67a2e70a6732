# SPDX-License-Identifier: Apache-2.0
# terminal.gp: set terminal and output for `kind` and `out`; the figure is `wide` x `high`
# inches, `panels` of them side by side. Points of a bitmap are 1/200 inch, of an SVG 1/96.
across = wide * panels
if (kind eq 'svg') {
    set terminal svg size across * 96, high * 96 font sprintf('%s,%g', face, points * 1.33) dashed
    set output into . out . '.svg'
} else { if (kind eq 'pngcairo' || kind eq 'png') {
    heavy = kind eq 'pngcairo' ? 'linewidth 2.2 pointscale 2 dashlength 0.7' : 'linewidth 2'
    eval sprintf("set terminal %s size %d,%d font '%s,%g' %s", kind, across * 200, high * 200, face, points * 2.1, heavy)
    set output into . out . '.png'
} else {
    eval sprintf("set terminal %s size %gin,%gin font '%s,%g'", kind, across, high, face, points)
    ending = kind eq 'pdfcairo' ? '.pdf' : (kind eq 'epscairo' ? '.eps' : '.' . kind)
    set output into . out . ending
} }
