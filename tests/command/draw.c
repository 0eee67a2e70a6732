/* SPDX-License-Identifier: Apache-2.0
 * tests/command/draw.c: a figure of each form on each page for each terminal: laid out by the
 * rules, drawn, complete, unclipped. PERP_FIGURES=all (make check-figures) compiles those for
 * LaTeX on every page, else on one. What is not installed is not tested: gnuplot, poppler's tools,
 * pdflatex. */
#include <config.h>

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "command/figures/draw.h"
#include "command/figures/layout.h"
#include "command/figures/pages.h"
#include "samples.h"
#include "tests/support/support.h"

static bool has_program(const char *name)
{
    char command[200];

    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", name);
    return system(command) == 0;
}

/* The first bytes of what a command prints. */
static const char *output_of(const char *format, ...) PERP_PRINTF(1, 2);
static const char *output_of(const char *format, ...)
{
    static char text[16384];
    char command[4096];
    va_list args;
    FILE *out = NULL;
    size_t length = 0;

    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    out = popen(command, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    length = fread(text, 1, sizeof text - 1, out);
    text[length] = '\0';
    pclose(out);
    return text;
}

static bool file_exists(const char *folder, const char *name, const char *extension)
{
    char path[2048];

    snprintf(path, sizeof path, "%s/%s%s", folder, name, extension);
    return access(path, F_OK) == 0;
}

/* Has the folder a temporary one in it, "new.tmp-…"? */
static bool folder_is_left(const char *folder)
{
    DIR *d = opendir(folder);
    bool left = false;

    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
        left = left || strncmp(e->d_name, "new", 3) == 0;
    }
    if (d) {
        closedir(d);
    }
    return left;
}

static char *file_text(const char *folder, const char *name, const char *extension)
{
    char path[2048];
    char *text = NULL;
    size_t length = 0;

    snprintf(path, sizeof path, "%s/%s%s", folder, name, extension);
    OK(perp_file_slurp(path, &text, &length, NULL));
    return test_keep(text, free);
}

static void book_release(void *book)
{
    figure_book_free(book);
}

static figure_book *book_of_samples(void)
{
    static figure_book book;

    memset(&book, 0, sizeof book);
    samples_add(&book);
    test_keep(&book, book_release);
    return &book;
}

/* Draw the samples into a folder of their own, whose name is returned. */
static const char *draw_samples(const figure_book *book, const figure_request *request,
                                const char *name)
{
    const char *folder = test_scratch(name);
    perp_error err = {0};
    perp_status status = PERP_OK;

    output_of("rm -rf '%s'", folder);
    status = figure_draw(book, NULL, request, folder, &err);
    if (status != PERP_OK) {
        test_note("%s", err.text);
    }
    OK(status);
    CU_ASSERT_FALSE(folder_is_left(folder));
    return folder;
}

static void layout_is_by_the_rules(const drawn_figure *d)
{
    if (layout_share(d) < 0.65) {
        test_note("%s: %g of the height", d->figure->name, layout_share(d));
    }
    CU_ASSERT(layout_share(d) >= 0.65);
    CU_ASSERT(d->key.count == 0 || d->key.box.top <= 0.2001 * d->height);
    for (size_t k = 0; k < d->count; k++) {
        const drawn_panel *p = &d->panels[k];
        const drawn_panel *first = &d->panels[k - p->column];

        CU_ASSERT(p->box.left > 0.0 && p->box.bottom > 0.0 && p->box.right < d->width &&
                  p->box.top < d->height);
        CU_ASSERT(p->panel->equal ||
                  (p->box.top == first->box.top && p->box.bottom == first->box.bottom));
        for (size_t i = 0; i < p->label_count; i++) {
            CU_ASSERT(p->labels[i].x + p->labels[i].width <= d->width + 0.1);
            for (size_t j = 0; j < i; j++) {
                const end_label *a = &p->labels[i];
                const end_label *b = &p->labels[j];

                CU_ASSERT(fabs(a->y - b->y) >= 1.1 * d->letter ||
                          a->x > b->x + b->width || b->x > a->x + a->width);
            }
        }
    }
}

TEST(plots_have_the_height_and_labels_their_room)
{
    const figure_book *book = book_of_samples();

    for (size_t page = 0; figure_pages[page].name; page++) {
        figure_request request = {.page = figure_pages[page].name};
        figure_setting setting;

        OK(pages_resolve(&setting, &request, NULL));
        for (size_t k = 0; k < book->count; k++) {
            drawn_figure d;

            layout_new(&d, book->figures[k], &setting);
            layout_is_by_the_rules(&d);
            layout_free(&d);
        }
    }
}

/* Up to six curves have labels, more a key, more than eight a panel each. */
TEST(curves_are_labelled_or_in_a_key_or_apart)
{
    const figure_book *book = book_of_samples();
    figure_setting setting;
    drawn_figure d;

    OK(pages_resolve(&setting, NULL, NULL));
    layout_new(&d, book->figures[0], &setting);
    CU_ASSERT_EQUAL(d.panels[0].label_count, 5);
    CU_ASSERT_EQUAL(d.key.count, 0);
    layout_free(&d);
    layout_new(&d, book->figures[1], &setting);
    CU_ASSERT_EQUAL(d.panels[0].label_count, 0);
    CU_ASSERT_EQUAL(d.key.count, 8);
    layout_free(&d);
    layout_new(&d, book->figures[2], &setting);
    CU_ASSERT_EQUAL(d.count, 12);
    CU_ASSERT_EQUAL(d.key.count, 0);
    CU_ASSERT_PTR_NOT_NULL(d.panels[0].focus);
    layout_free(&d);
}

/* A picture is neither empty nor does it touch its border: "W H", and bytes, of a PGM. */
static void picture_is_good(const char *path, const char *name)
{
    FILE *f = fopen(path, "rb");
    int wide = 0, high = 0, dark = 0, border = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_EQUAL_FATAL(fscanf(f, "P5 %d %d 255", &wide, &high), 2);
    fgetc(f);
    for (int y = 0; y < high; y++) {
        for (int x = 0; x < wide; x++) {
            if (fgetc(f) < 224) { /* colours of curves, too */
                dark++;
                border += x == 0 || y == 0 || x == wide - 1 || y == high - 1;
            }
        }
    }
    fclose(f);
    if (border > 0 || dark < wide) {
        test_note("%s: %d dark pixels of %d x %d, %d at the border", name, dark, wide,
                  high, border);
    }
    CU_ASSERT_EQUAL(border, 0);
    CU_ASSERT(dark >= wide);
}

/* Width in mm, fonts in the file, the picture of its first page. */
static void pdf_is_good(const char *path, const char *name, double width)
{
    const char *text = NULL;
    double points = 0.0;
    char picture[1200];

    text = strstr(output_of("pdfinfo '%s'", path), "Page size:");
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT_EQUAL(sscanf(text, "Page size: %lf", &points), 1);
    CU_ASSERT_DOUBLE_EQUAL(points * 25.4 / 72.0, width, 0.5); /* cairo: whole points */
    /* a line per font: … emb sub uni object ID; all are embedded */
    text = output_of("pdffonts '%s' | tail -n +3 | awk '$(NF-4) != \"yes\"'", path);
    CU_ASSERT_STRING_EQUAL(text, "");
    snprintf(picture, sizeof picture, "%s-picture", path);
    output_of("pdftoppm -gray -r 72 -singlefile '%s' '%s'", path, picture);
    strcat(picture, ".pgm");
    picture_is_good(picture, name);
}

TEST(draws_every_form_as_pdf_on_every_page)
{
    const figure_book *book = book_of_samples();

    for (size_t page = 0; figure_pages[page].name && has_program("gnuplot"); page++) {
        figure_request request = {.page = figure_pages[page].name,
                                  .terminal = "pdfcairo"};
        const char *folder = draw_samples(book, &request, figure_pages[page].name);

        for (size_t k = 0; k < book->count; k++) {
            const char *name = book->figures[k]->name;
            char path[1100];

            snprintf(path, sizeof path, "%s/%s.pdf", folder, name);
            CU_ASSERT(file_exists(folder, name, ".txt"));
            CU_ASSERT_FALSE(file_exists(folder, name, ".gp"));
            CU_ASSERT_FALSE(file_exists(folder, name, ".csv"));
            if (has_program("pdftoppm")) {
                pdf_is_good(path, name, figure_pages[page].width);
            } else {
                CU_ASSERT(file_exists(folder, name, ".pdf"));
            }
        }
        output_of("rm -rf '%s'", folder);
    }
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;

    for (text = strstr(text, part); text; text = strstr(text + 1, part)) {
        count++;
    }
    return count;
}

/* Several may stand in one page: no names of parts are left that all files share. */
TEST(draws_every_form_as_svg_with_names_of_its_own)
{
    const figure_book *book = book_of_samples();
    const figure_request request = {.page = "screen"};
    const char *folder = NULL;

    if (!has_program("gnuplot")) {
        return;
    }
    folder = draw_samples(book, &request, "svg");
    for (size_t k = 0; k < book->count; k++) {
        const char *text = file_text(folder, book->figures[k]->name, ".svg");

        CU_ASSERT(count_of(text, "<path") + count_of(text, "<polygon") +
                      count_of(text, "<use") >
                  8);
        CU_ASSERT_PTR_NOT_NULL(strstr(text, "width=\"640\""));
        CU_ASSERT_PTR_NULL(strstr(text, "id='gp"));
        CU_ASSERT_PTR_NULL(strstr(text, "'#gp"));
        CU_ASSERT_PTR_NULL(strstr(text, "nan"));
    }
    if (has_program("xmllint")) {
        CU_ASSERT_STRING_EQUAL(output_of("xmllint --noout '%s'/*.svg 2>&1", folder), "");
    }
    output_of("rm -rf '%s'", folder);
}

/* 84 mm are 992 dots at 300 per inch; the width stands at byte 16. */
TEST(draws_every_form_as_png_of_300_dpi)
{
    const figure_book *book = book_of_samples();
    const figure_request request = {.page = "column", .terminal = "png"};
    const char *folder = NULL;

    if (!has_program("gnuplot")) {
        return;
    }
    folder = draw_samples(book, &request, "png");
    for (size_t k = 0; k < book->count; k++) {
        const unsigned char *bytes =
            (unsigned char *)file_text(folder, book->figures[k]->name, ".png");
        struct stat about;
        char path[1100];

        snprintf(path, sizeof path, "%s/%s.png", folder, book->figures[k]->name);
        CU_ASSERT_EQUAL(bytes[18] * 256 + bytes[19], 992);
        CU_ASSERT(stat(path, &about) == 0 && about.st_size > 4000);
    }
    output_of("rm -rf '%s'", folder);
}

/* All figures of a terminal in one document, one per page of exactly their size. */
static void latex_compiles(const figure_book *book, const figure_page *page,
                           const char *terminal)
{
    const figure_request request = {.page = page->name, .terminal = terminal};
    const char *folder = draw_samples(book, &request, terminal);
    char path[1100];
    FILE *f = NULL;

    snprintf(path, sizeof path, "%s/all.tex", folder);
    f = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fprintf(f,
            "\\documentclass{article}\n\\usepackage[utf8]{inputenc}\n"
            "\\usepackage{graphicx,xcolor}\n\\usepackage[active,tightpage]{preview}\n");
    if (strcmp(terminal, "tikz") == 0) {
        fputs("\\usepackage{gnuplot-lua-tikz}\n", f);
    }
    fprintf(f, "\\newcommand\\perpfigures{%s}\n\\begin{document}\n", terminal);
    for (size_t k = 0; k < book->count; k++) {
        fprintf(f, "\\begin{preview}\\input{%s/%s}\\end{preview}\n", terminal,
                book->figures[k]->name);
    }
    fputs("\\end{document}\n", f);
    fclose(f);
    output_of("cd '%s' && TEXINPUTS=.:%s: pdflatex -interaction=nonstopmode "
              "-halt-on-error all.tex >all.out 2>&1",
              folder, terminal);
    if (!file_exists(folder, "all.pdf", "")) {
        test_note("%s", output_of("grep -a -A3 '^!' '%s/all.out'", folder));
    }
    CU_ASSERT_FATAL(file_exists(folder, "all.pdf", ""));
    if (has_program("pdfinfo")) {
        const char *text = strstr(output_of("pdfinfo '%s/all.pdf'", folder), "Pages:");
        unsigned pages = 0;

        CU_ASSERT(text && sscanf(text, "Pages: %u", &pages) == 1);
        CU_ASSERT_EQUAL(pages, book->count);
        snprintf(path, sizeof path, "%s/all.pdf", folder);
        pdf_is_good(path, terminal, page->width);
    }
    output_of("rm -rf '%s'", folder);
}

TEST(latex_compiles_what_is_drawn_for_it)
{
    const figure_book *book = book_of_samples();
    const char *all = getenv("PERP_FIGURES");

    if (!has_program("gnuplot") || !has_program("pdflatex") ||
        !output_of("kpsewhich preview.sty tikz.sty | sed -n 2p")[0]) {
        return;
    }
    for (size_t page = 0; figure_pages[page].name; page++) {
        if (page == 0 || (all && strcmp(all, "all") == 0)) {
            latex_compiles(book, &figure_pages[page], "cairolatex");
            latex_compiles(book, &figure_pages[page], "tikz");
        }
    }
}

/* Scripts and data draw the same again, alone; CSV has a row per point. */
TEST(scripts_draw_again)
{
    const figure_book *book = book_of_samples();
    const figure_request request = {
        .page = "column", .scripts = true, .data = true, .titles = true};
    const char *folder = NULL;

    if (!has_program("gnuplot")) {
        return;
    }
    folder = draw_samples(book, &request, "scripts");
    for (size_t k = 0; k < 3; k++) {
        const char *name = book->figures[k]->name;

        CU_ASSERT(file_exists(folder, name, ".dat"));
        CU_ASSERT(file_exists(folder, name, ".csv"));
        output_of("cd '%s' && rm '%s.pdf' && gnuplot '%s.gp' 2>&1", folder, name, name);
        CU_ASSERT(file_exists(folder, name, ".pdf"));
    }
    CU_ASSERT_EQUAL(count_of(file_text(folder, "profile", ".csv"), "\n"), 1 + 5 * 21);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(file_text(folder, "profile", ".txt"), "Failures count as never solved."));
    output_of("rm -rf '%s'", folder);
}

/* A gnuplot that fails: its words are shown, what was there before stays. */
TEST(shows_what_gnuplot_says)
{
    const figure_book *book = book_of_samples();
    const figure_request request = {.page = "column"};
    const char *folder = test_scratch("broken");
    const char *tools = test_scratch("broken-tools");
    char path[4096];
    char *before = getenv("PATH") ? strdup(getenv("PATH")) : NULL;
    perp_error err = {0};

    output_of("rm -rf '%s' '%s'; mkdir '%s' '%s'; echo old >'%s/profile.pdf'", folder,
              tools, folder, tools, folder);
    output_of("printf '#!/bin/sh\\necho \\047\"profile.gp\" line 7: no such thing\\047 "
              ">&2\\nexit 1\\n' >'%s/gnuplot'; chmod +x '%s/gnuplot'",
              tools, tools);
    CU_ASSERT_PTR_NOT_NULL_FATAL(realpath(tools, path)); /* gnuplot runs elsewhere */
    snprintf(path + strlen(path), sizeof path - strlen(path), ":%s",
             before ? before : "");
    setenv("PATH", path, 1);
    CU_ASSERT_EQUAL(figure_draw(book, NULL, &request, folder, &err), PERP_ERR_LIBRARY);
    setenv("PATH", before ? before : "", 1);
    free(before);
    CU_ASSERT_STRING_EQUAL(err.text,
                           "gnuplot failed: \"profile.gp\" line 7: no such thing");
    CU_ASSERT_STRING_EQUAL(file_text(folder, "profile", ".pdf"), "old\n");
    CU_ASSERT_FALSE(folder_is_left(folder));
    output_of("rm -rf '%s' '%s'", folder, tools);
}

static void is_refused(const figure_request *request, const char *message)
{
    perp_error err = {0};

    CU_ASSERT_EQUAL(figure_request_check(request, &err), PERP_ERR_OPTION);
    if (!strstr(err.text, message)) {
        test_note("%s", err.text);
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(err.text, message));
}

TEST(refuses_what_it_does_not_know)
{
    is_refused(&(figure_request){.page = "poster"}, "column, double, slide, screen");
    is_refused(&(figure_request){.terminal = "dumb"},
               "pdfcairo, svg, png, cairolatex, tikz");
    is_refused(&(figure_request){.size = "3"}, "expected WIDTHxHEIGHT");
    is_refused(&(figure_request){.size = "3x"}, "expected WIDTHxHEIGHT");
    is_refused(&(figure_request){.size = "3lyx4ly"}, "expected WIDTHxHEIGHT");
    is_refused(&(figure_request){.size = "1e9x2"}, "expected WIDTHxHEIGHT");
    is_refused(&(figure_request){.font = "Sans,99"}, "expected NAME,SIZE");
    is_refused(&(figure_request){.font = "a'b"}, "expected NAME,SIZE");
}

TEST(takes_sizes_with_units)
{
    static const struct {
        const char *size;
        double width, height;
    } good[] = {{"84mmx60mm", 84.0, 60.0},
                {"84x60mm", 84.0, 60.0},
                {"8.4cmx60mm", 84.0, 60.0},
                {"3x2", 76.2, 50.8},
                {"320pxx240px", 84.667, 63.5}};

    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        const figure_request request = {.size = good[k].size, .font = "DejaVu Serif,9"};
        figure_setting setting = {0};

        OK(pages_resolve(&setting, &request, NULL));
        CU_ASSERT_DOUBLE_EQUAL(setting.width * 25.4 / 72.0, good[k].width, 0.01);
        CU_ASSERT_DOUBLE_EQUAL(setting.height * 25.4 / 72.0, good[k].height, 0.01);
        CU_ASSERT_STRING_EQUAL(setting.face, "DejaVu Serif");
        CU_ASSERT_EQUAL(setting.points, 9.0);
    }
}
