/* SPDX-License-Identifier: Apache-2.0
 * cli/manual.c: man pages from the tables of verbs and options. */
#include <config.h>

#include <ctype.h>
#include <string.h>

#include "experiments/cli/help.h"
#include "experiments/cli/page.h"

/* Text as roff reads it: no line that starts with a request, dashes that can be copied. */
static void roff(FILE *out, const char *text)
{
    bool start = true;

    for (; *text; text++) {
        if (start && (*text == '.' || *text == '\'')) {
            fputs("\\&", out);
        }
        if (*text == '\\') {
            fputs("\\e", out);
        } else if (*text == '-') {
            fputs("\\-", out);
        } else {
            fputc(*text, out);
        }
        start = *text == '\n';
    }
}

static void title(FILE *out, const char *verb)
{
    fputs(".TH PERP", out);
    for (const char *c = verb; c && *c; c++) {
        if (c == verb) {
            fputc('-', out);
        }
        fputc(toupper((unsigned char)*c), out);
    }
    fprintf(out, " 1 \"\" \"perp %s\" \"User Commands\"\n", perp_version());
}

/* One option: its name in bold, its value in italics. */
static void option(FILE *out, char letter, const char *name, const char *value)
{
    fputs(".TP\n", out);
    if (letter) {
        fprintf(out, "\\fB\\-%c\\fR, ", letter);
    }
    fputs("\\fB\\-\\-", out);
    roff(out, name);
    fputs("\\fR", out);
    if (value) {
        fputs(" \\fI", out);
        roff(out, value);
        fputs("\\fR", out);
    }
    fputc('\n', out);
}

static void solver_options(FILE *out)
{
    char usual[64], range[256];

    fputs(".SH OPTIONS OF EVERY SOLVER\n", out);
    for (const perp_option *o = perp_options_common; o->name; o++) {
        help_default(o, usual, sizeof usual);
        help_range(o, range, sizeof range);
        option(out, 0, o->name, "VALUE");
        roff(out, o->help);
        fputs(" [", out);
        roff(out, usual);
        fputs("; ", out);
        roff(out, range);
        fputs("]\n", out);
    }
    fputs("Those of one solver:\n.B perp info \\fISOLVER\\fR\n", out);
}

static void exit_status(FILE *out)
{
    fputs(".SH EXIT STATUS\n0 done, 1 not solved, 2 bad usage or input, 130 "
          "interrupted.\n",
          out);
}

void manual_verb(FILE *out, const cli_verb *verb)
{
    title(out, verb->name);
    fprintf(out, ".SH NAME\nperp\\-%s \\- ", verb->name);
    roff(out, verb->summary);
    fprintf(out, "\n.SH SYNOPSIS\n.B perp %s\n", verb->name);
    roff(out, verb->usage);
    fputs("\n.SH OPTIONS\n", out);
    for (const cli_option *o = verb->options; o->name; o++) {
        if (o->help) {
            option(out, o->letter, o->name, o->value);
            roff(out, o->help);
            fputc('\n', out);
        }
    }
    option(out, 'h', "help", NULL);
    fputs("print a summary of these options\n", out);
    if (verb->solver) {
        solver_options(out);
    }
    if (verb->more) {
        fputs(".SH NOTES\n.nf\n", out);
        roff(out, verb->more);
        fputs(".fi\n", out);
    }
    exit_status(out);
    fputs(".SH SEE ALSO\n.BR perp (1)\n", out);
}

void manual_all(FILE *out, const cli_verb *const *verbs)
{
    title(out, NULL);
    fputs(
        ".SH NAME\nperp \\- compare solvers for linear complementarity and frictional "
        "contact\n.SH SYNOPSIS\n.B perp\n.I VERB\n[WORDS AND OPTIONS]\n"
        ".SH DESCRIPTION\nFind z in K with w = A z + b and \\-w in the normal cone of K "
        "at z: linear\ncomplementarity problems, boxes, Coulomb cones in two and three "
        "dimensions.\nMany solvers take the same problem, one residual judges them all, "
        "and a \\(lqno\\(rq\\&\nhas a certificate that can be checked.\n.SH VERBS\n",
        out);
    for (size_t k = 0; verbs[k]; k++) {
        fprintf(out, ".TP\n.BR perp\\-%s (1)\n", verbs[k]->name);
        roff(out, verbs[k]->summary);
        fputc('\n', out);
    }
    fputs(".SH SOLVERS\n", out);
    for (const perp_solver_type *const *s = perp_solvers(NULL); *s; s++) {
        fputs(".TP\n.B ", out);
        roff(out, (*s)->name);
        fputc('\n', out);
        roff(out, (*s)->summary);
        fputc('\n', out);
    }
    fputs(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nno colour, even on a terminal\n"
          ".TP\n.B OPENBLAS_NUM_THREADS\nthreads of BLAS; one unless it is set\n"
          ".TP\n.B PERP_DATA_DIR\nwhere suites and figure scripts are\n",
          out);
    exit_status(out);
    fputs(".SH SEE ALSO\n", out);
    for (size_t k = 0; verbs[k]; k++) {
        fprintf(out, ".BR perp\\-%s (1)%s\n", verbs[k]->name, verbs[k + 1] ? "," : "");
    }
}
