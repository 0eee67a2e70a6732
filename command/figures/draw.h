/* SPDX-License-Identifier: Apache-2.0
 * figures/draw.h: figures laid out and drawn by gnuplot: one process for all of them.
 *
 * Rules of the layout: the plot has at least 65 % of the height. Up to six series are labelled at
 * their ends; more have a key of at most a fifth of the height; more than eight become small
 * multiples, each with the others in grey. Panels of a row have one height. Failures stand on a
 * band of their own above the plot. No title unless asked. Letters are 8 pt at final size. */
#ifndef PERP_FIGURES_DRAW_H
#define PERP_FIGURES_DRAW_H

#include "figure.h"
#include "style.h"

/** A page for which figures are made. */
typedef struct figure_page {
    const char *name;     /**< "column" */
    const char *help;     /**< "one column of a journal, 84 mm" */
    const char *terminal; /**< the usual one: "pdfcairo" */
    double width;         /**< mm */
    double points;        /**< of letters */
} figure_page;
/** column 84 mm pdfcairo, double 174 mm pdfcairo, slide pdfcairo, screen svg; ended by a NULL
 *  name. */
extern const figure_page figure_pages[];

/** A terminal: of gnuplot, and what its files need. */
typedef struct figure_terminal {
    const char *name;      /**< "cairolatex" */
    const char *extension; /**< ".tex" */
    const char *folder; /**< of its figures below the folder: "cairolatex"; "" : none */
    bool latex;         /**< texts are LaTeX */
    /* Further members belong to draw. */
    const char *driver; /**< name of gnuplot: "pngcairo" */
    double marker;      /**< width of a point of size 1, in points */
    double dash;        /**< a unit of a dash pattern, in line widths */
} figure_terminal;
/** pdfcairo, svg, pngcairo ("png"), cairolatex, tikz; ended by a NULL name. */
extern const figure_terminal figure_terminals[];

/** What is drawn; NULL and 0: the defaults. */
typedef struct figure_request {
    const char *page;     /**< a figure_page; "screen" */
    const char *terminal; /**< a figure_terminal; that of the page */
    const char *
        size; /**< "WIDTHxHEIGHT" of a panel, with a unit or in inches; else by the page */
    const char *font; /**< "NAME,SIZE" */
    bool titles, scripts, data;
} figure_request;

/** Check a request before anything is read or run. PERP_ERR_OPTION names what there is. */
perp_status figure_request_check(const figure_request *request, perp_error *err);

/** Draw every figure of the book into `folder`, which is made: NAME.EXT and NAME.txt, the caption;
 *  with scripts NAME.gp and NAME.dat, which `gnuplot NAME.gp` draws again; with data NAME.csv.
 *  New files replace old ones when all figures are whole. PERP_ERR_LIBRARY: gnuplot failed, with
 *  its own message in err. */
perp_status figure_draw(const figure_book *book, const figure_style_table *style,
                        const figure_request *request, const char *folder,
                        perp_error *err);

#endif
