/* SPDX-License-Identifier: Apache-2.0
 * tests/command/samples.c: a figure of each form, with awkward names and values. */
#include <config.h>

#include <math.h>
#include <stdlib.h>

#include "samples.h"

static const char *const solvers[] = {"lemke",    "nsgs",  "pgs:omega=1.5", "ds:spg",
                                      "ipm-socp", "bpp",   "keller",        "fb-newton",
                                      "apgd",     "mprgp", "admm",          "auto"};

/* A sequence of numbers between 0 and 1 that looks random. */
static double noise(unsigned *state)
{
    *state = *state * 1103515245u + 12345u;
    return (double)(*state >> 16 & 0x7FFF) / 32768.0;
}

static figure_panel *add_panel(figure *f, const char *title, const char *x,
                               const char *x_unit, figure_scale x_scale, const char *y,
                               const char *y_unit, figure_scale y_scale)
{
    figure_panel *p = figure_add_panel(f, title);

    figure_axis_set(&p->x, x, x_unit, x_scale);
    figure_axis_set(&p->y, y, y_unit, y_scale);
    return p;
}

/* Steps that end near each other, some below 1; the names must be moved apart. */
static void add_profile(figure_book *book, const char *name, size_t count)
{
    figure *f = figure_add(book, "profile", name);
    figure_panel *p = add_panel(f, "", "performance ratio", "", FIGURE_LOG2,
                                "share of problems", "", FIGURE_LINEAR);
    unsigned state = 7;

    figure_set_title(f, "contact: 40 problems, residual ≤ 10⁻⁸");
    figure_set_caption(
        f,
        "Share of %d problems that a solver solved within a multiple of the "
        "best time. Failures count as never solved.",
        40);
    p->y.low = 0.0;
    p->y.high = 1.0;
    p->x.low = 1.0;
    p->x.high = 256.0;
    for (size_t s = 0; s < count; s++) {
        figure_series *series = figure_add_series(p, FIGURE_STEPS, solvers[s]);
        double share = 0.3 / (1.0 + (double)s);
        double ratio = 1.0;

        for (int k = 0; k < 20; k++) {
            figure_point_add(series, ratio, share);
            ratio *= 1.0 + 0.5 * noise(&state);
            share = fmin(share + (0.9 - 0.07 * (double)(s % 4) - share) * 0.25, 1.0);
        }
        figure_point_add(series, 256.0, share);
    }
}

/* Residuals with a start at time 0, an exact zero at the end, and runs that end early. */
static void add_convergence(figure_book *book)
{
    static const char *const labels[2][2] = {{"time", "s"}, {"products with A", ""}};
    figure *f = figure_add(book, "convergence", "convergence");
    unsigned state = 3;

    figure_set_caption(f, "Residual during the iterations.");
    for (int view = 0; view < 2; view++) {
        figure_panel *p = add_panel(f, "", labels[view][0], labels[view][1], FIGURE_LOG10,
                                    "residual", "", FIGURE_LOG10);
        figure_series *guide = figure_add_series(p, FIGURE_GUIDE, "");

        for (size_t s = 0; s < 4; s++) {
            figure_series *series = figure_add_series(p, FIGURE_CURVE, solvers[s]);
            double residual = 2.0;

            for (int k = 0; k < 60 * ((int)s + 1); k++) {
                figure_point_add(series, view ? k : 2e-5 * k, residual);
                residual *= 1.0 - 0.5 * noise(&state) / (double)(s + 1);
            }
            if (s == 0) {
                figure_point_add(series, view ? 61 : 1.3e-3, 0.0);
            }
            if (s == 3) {
                figure_failure_add(series, view ? 240 : 4.8e-3);
            }
        }
        figure_point_add(guide, view ? 1 : 2e-5, 1e-8);
        figure_point_add(guide, view ? 240 : 4.8e-3, 1e-8);
    }
}

/* Time against size with intervals, failures and warm starts. */
static void add_scaling(figure_book *book)
{
    figure *f = figure_add(book, "scaling", "scaling");
    figure_panel *p =
        add_panel(f, "", "contacts", "", FIGURE_LOG10, "time", "s", FIGURE_LOG10);
    unsigned state = 11;

    figure_set_caption(f, "Median time of ten repeats with 95 %% intervals.");
    for (size_t s = 0; s < 6; s++) {
        bool warm = s % 2 == 1;
        char name[FIGURE_NAME];

        snprintf(name, sizeof name, "%s%s", solvers[s / 2], warm ? " warm" : "");
        figure_series *series = figure_add_series(p, FIGURE_CURVE, name);
        figure_series_of(series, solvers[s / 2], warm);
        for (int k = 0; k < 9 - (int)s / 2; k++) {
            double n = pow(10.0, 2.0 + 0.35 * k);
            double time = 1e-6 * pow(n, 1.2 + 0.2 * (double)(s / 2)) *
                          (warm ? 0.4 : 1.0) * (0.8 + 0.4 * noise(&state));

            figure_point_full(
                series, (figure_point){n, time, 0.7 * time, 1.5 * time, NAN, NAN, NAN});
        }
        if (s >= 4) {
            figure_failure_add(series, pow(10.0, 4.45));
            figure_failure_add(series, pow(10.0, 4.8));
        }
    }
    figure_note_add(p, 3e4, 1e-3, "slope 1.21 ± 0.03");
}

/* Points without lines, large numbers, texts that mean something to gnuplot and LaTeX. */
static void add_hostile(figure_book *book)
{
    static const char *const names[] = {
        "it's \"100 %\" $(id) `id`", "a_b^c {d} \\e @x &y ~z #", "line\nbreak\t<|> é Ω",
        "\\input{/etc/passwd} %d %s"};
    figure *f = figure_add(book, "points", "hostile'\";|$(x) ü");
    figure_panel *p =
        add_panel(f, "100 % of $x_1^2$ \\ {μ ≥ 0.3}", "cost & weight", "kg_{100%}",
                  FIGURE_LINEAR, "it's `y` \"quoted\"", "m·s⁻²", FIGURE_LINEAR);
    unsigned state = 5;

    figure_set_title(f, "%s",
                     "title with 'quotes', \"more\", \\backslash{} and 5 % $HOME");
    figure_set_caption(f, "%s", names[0]);
    for (size_t s = 0; s < 4; s++) {
        figure_series *series = figure_add_series(p, FIGURE_POINTS, names[s]);

        for (int k = 0; k < 12; k++) {
            figure_point_add(series, 3e6 * (noise(&state) + 0.3 * (double)s),
                             2e-5 * (noise(&state) - 0.5));
        }
    }
    figure_note_add(p, 3e6, 0.0, "%s", "note: 5 % of $x$ \\ it's");
}

static void add_bars(figure_book *book)
{
    static const char *const parts[] = {"solved", "model only", "failed"};
    figure *f = figure_add(book, "share", "bars");
    figure_panel *p = add_panel(f, "", "share of problems", "", FIGURE_LINEAR, "", "",
                                FIGURE_CATEGORIES);
    figure_series *series[3];

    figure_set_caption(f, "How the runs of each solver ended.");
    p->x.low = 0.0;
    p->x.high = 1.0;
    p->y.reversed = true;
    for (int k = 0; k < 3; k++) {
        series[k] = figure_add_series(p, FIGURE_BARS, parts[k]);
    }
    for (size_t s = 0; s < 10; s++) {
        double at = figure_category(&p->y, solvers[s]);
        double ends[] = {0.0, 0.9 - 0.06 * (double)s, 0.95 - 0.03 * (double)s, 1.0};

        for (int k = 0; k < 3; k++) {
            figure_point_full(series[k], (figure_point){ends[k + 1], at, ends[k],
                                                        ends[k + 1], NAN, NAN, NAN});
        }
    }
}

static void add_histogram(figure_book *book)
{
    figure *f = figure_add(book, "histogram", "histogram");

    figure_set_caption(f, "Pivots of each problem.");
    for (int panel = 0; panel < 2; panel++) {
        figure_panel *p = add_panel(f, panel ? "keller" : "lemke", "pivots", "",
                                    FIGURE_LINEAR, "problems", "", FIGURE_LINEAR);
        figure_series *series =
            figure_add_series(p, FIGURE_BARS, panel ? "keller" : "lemke");

        for (int k = 0; k < 14; k++) {
            double height = floor(60.0 * exp(-0.1 * pow(k - 4.0 - 3.0 * panel, 2.0)));

            figure_point_full(series, (figure_point){10.0 * k + 5.0, height, 10.0 * k,
                                                     10.0 * (k + 1), NAN, NAN, NAN});
        }
    }
}

static void add_boxes(figure_book *book)
{
    figure *f = figure_add(book, "box", "boxes");
    figure_panel *p =
        add_panel(f, "", "iterations", "", FIGURE_LOG10, "", "", FIGURE_CATEGORIES);
    figure_panel *q =
        add_panel(f, "", "mass ratio", "", FIGURE_LOG10, "error", "", FIGURE_LINEAR);
    figure_series *upright = figure_add_series(q, FIGURE_BOXES, "");

    figure_set_caption(f, "Medians, quartiles, ends.");
    figure_series_of(upright, "nsgs", false);
    for (size_t s = 0; s < 5; s++) {
        figure_series *series = figure_add_series(p, FIGURE_BOXES, "");
        double m = 10.0 * (1.0 + 3.0 * (double)s);

        figure_series_of(series, solvers[s], false);
        figure_point_full(series,
                          (figure_point){m, figure_category(&p->y, solvers[s]), 0.5 * m,
                                         1.7 * m, 0.2 * m, 6.0 * m, NAN});
        figure_point_full(upright, (figure_point){pow(10.0, (double)s), m, 0.8 * m,
                                                  1.2 * m, 0.5 * m, 1.9 * m, NAN});
    }
}

static void add_areas(figure_book *book)
{
    static const char *const parts[] = {"contacts", "friction", "joints", "integrator"};
    figure *f = figure_add(book, "energy", "areas");
    figure_panel *p =
        add_panel(f, "", "time", "s", FIGURE_LINEAR, "energy change", "J", FIGURE_LINEAR);

    figure_set_caption(f, "Energy by cause, summed over time.");
    for (int k = 0; k < 4; k++) {
        figure_series *series = figure_add_series(p, FIGURE_AREA, parts[k]);

        for (int i = 0; i <= 60; i++) {
            double t = 0.05 * i;

            figure_point_add(series, t,
                             (k == 3 ? 0.4 * t : -0.5 * t * (k + 1) / 2.0) *
                                 (1.0 + 0.2 * sin(5.0 * t + k)));
        }
    }
}

static void add_cells(figure_book *book)
{
    figure *f = figure_add(book, "heat", "cells");
    figure_panel *p =
        add_panel(f, "nsgs", "mass ratio", "", FIGURE_LOG10, "μ", "", FIGURE_LINEAR);
    figure_series *series = figure_add_series(p, FIGURE_CELLS, "nsgs");

    figure_set_caption(f, "Iterations; grey: failed.");
    figure_axis_set(&p->value, "iterations", "", FIGURE_LOG10);
    for (int i = 0; i < 7; i++) {
        for (int j = 0; j < 9; j++) {
            double value = i + j > 12 ? NAN : 10.0 * exp(0.5 * i + 0.3 * j);

            figure_point_full(
                series, (figure_point){pow(10.0, i), 0.1 * j, NAN, NAN, NAN, NAN, value});
        }
    }
}

static void add_dots(figure_book *book)
{
    figure *f = figure_add(book, "sparsity", "dots");
    figure_panel *p =
        add_panel(f, "", "column", "", FIGURE_LINEAR, "row", "", FIGURE_LINEAR);
    figure_series *series = figure_add_series(p, FIGURE_DOTS, "");
    unsigned state = 23;

    figure_set_caption(f, "Entries of A that are not 0.");
    p->equal = true;
    p->y.reversed = true;
    for (int i = 0; i < 60; i++) {
        for (int j = 0; j < 60; j++) {
            if (abs(i - j) < 3 || noise(&state) < 0.02) {
                figure_point_add(series, j, i);
            }
        }
    }
}

static void add_rose(figure_book *book)
{
    figure *f = figure_add(book, "rose", "rose");

    figure_set_caption(f, "Friction by direction.");
    for (int panel = 0; panel < 2; panel++) {
        char title[32];

        snprintf(title, sizeof title, "η = %d", panel ? 8 : 4);
        figure_panel *p =
            add_panel(f, title, "", "", FIGURE_LINEAR, "", "", FIGURE_LINEAR);
        p->equal = true;
        figure_series *circle = figure_add_series(p, FIGURE_GUIDE, "");
        figure_series *rose = figure_add_series(p, FIGURE_LINE, "");
        figure_series_of(rose, "pyramid", false);
        for (int k = 0; k <= 360; k++) {
            double angle = k * 0.017453292519943295;
            double r = cos(0.7853981633974483 / (panel + 1)) /
                       cos(fmod(angle, 1.5707963267948966 / (panel + 1)) -
                           0.7853981633974483 / (panel + 1));

            figure_point_add(circle, cos(angle), sin(angle));
            figure_point_add(rose, r * cos(angle), r * sin(angle));
        }
    }
}

/* A long run: more points than an eye can tell apart. */
static void add_drift(figure_book *book)
{
    static const char *const schemes[] = {"symplectic Euler", "velocity Verlet", "rk4"};
    figure *f = figure_add(book, "drift", "drift");
    figure_panel *p = add_panel(f, "", "time", "s", FIGURE_LINEAR,
                                "relative change of energy", "", FIGURE_LINEAR);

    figure_set_caption(f, "Energy over 10⁵ steps.");
    for (int s = 0; s < 3; s++) {
        figure_series *series = figure_add_series(p, FIGURE_LINE, schemes[s]);

        for (int k = 0; k < 100000; k++) {
            double t = 1e-3 * k;

            figure_point_add(
                series, t, s == 2 ? -2e-9 * t * t : 1e-5 / (1.0 + s) * sin(40.0 * t + s));
        }
    }
}

/* Two rows and columns of panels that share their axes, with a key. */
static void add_panels(figure_book *book)
{
    figure *f = figure_add(book, "parameter", "panels");

    f->columns = 2;
    figure_set_caption(f, "Iterations against μ.");
    for (int panel = 0; panel < 4; panel++) {
        char title[32];

        snprintf(title, sizeof title, "dt = %d ms", 1 << panel);
        figure_panel *p =
            add_panel(f, title, "μ", "", FIGURE_LINEAR, "iterations", "", FIGURE_LOG10);
        for (size_t s = 0; s < 7; s++) {
            figure_series *series = figure_add_series(p, FIGURE_CURVE, solvers[s]);

            for (int k = 0; k < 8; k++) {
                figure_point_add(series, 0.1 * k,
                                 10.0 * (double)(s + 1) * exp(k * 0.3 * panel));
            }
            if (s == 6 && panel == 3) {
                figure_failure_add(series, 0.8);
            }
        }
    }
}

static void add_single(figure_book *book)
{
    figure *f = figure_add(book, "single", "single");
    figure_panel *p = add_panel(f, "", "scene", "", FIGURE_CATEGORIES, "penetration", "m",
                                FIGURE_LINEAR);
    figure_series *series = figure_add_series(p, FIGURE_POINTS, "nsgs");

    figure_set_caption(f, "One point per scene.");
    for (int k = 0; k < 8; k++) {
        char name[FIGURE_NAME];

        snprintf(name, sizeof name, "heavy-on-light:ratio=%d", 10 * k);
        figure_point_add(series, figure_category(&p->x, name), 1e-4 * k * k);
    }
}

/* A point per solver, some of them close together: names stand next to them. */
static void add_pareto(figure_book *book)
{
    static const double places[][2] = {{1e-3, 1e-4}, {2e-3, 1e-6}, {2.2e-3, 1.1e-6},
                                       {2e-2, 1e-8}, {0.1, 1e-12}, {0.09, 3e-12}};
    figure *f = figure_add(book, "pareto", "pareto");
    figure_panel *p =
        add_panel(f, "", "time", "s", FIGURE_LOG10, "residual", "", FIGURE_LOG10);
    figure_series *front = figure_add_series(p, FIGURE_GUIDE, "");

    figure_set_caption(f, "Residual against time; grey: not dominated.");
    for (size_t s = 0; s < 6; s++) {
        figure_point_add(figure_add_series(p, FIGURE_POINTS, solvers[s]), places[s][0],
                         places[s][1]);
        figure_point_add(front, places[s][0], places[s][1]);
    }
}

void samples_add(figure_book *book)
{
    add_profile(book, "profile", 5);
    add_profile(book, "profile-key", 8);
    add_profile(book, "multiples", 12);
    add_convergence(book);
    add_scaling(book);
    add_hostile(book);
    add_bars(book);
    add_histogram(book);
    add_boxes(book);
    add_areas(book);
    add_cells(book);
    add_dots(book);
    add_rose(book);
    add_drift(book);
    add_panels(book);
    add_single(book);
    add_pareto(book);
}
