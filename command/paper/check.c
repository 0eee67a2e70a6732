/* SPDX-License-Identifier: Apache-2.0
 * paper/check.c: results made again, compared with the locked ones: numbers, curves, problems.
 *
 * A value of a clock may differ by the factor `times` of the paper, any other number by its own
 * tolerance, a point of a curve by `curves` of the paper. Points of curves that are measured by a
 * clock (an axis says "time" or "memory") move along both axes, so that only their number and the
 * ends of the curve are compared. */
#include <config.h>

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/file.h"
#include "base/json.h"
#include "command/cli/output_format.h"
#include "command/cli/take.h"
#include "command/paper/paper.h"

typedef struct check {
    const paper *p;
    const char *fresh, *locked;
    FILE *out;
    size_t compared, differences;
} check;

static void check_differs(check *c, const char *format, ...) PERP_PRINTF(2, 3);

static void check_differs(check *c, const char *format, ...)
{
    va_list args;
    char *text = NULL;

    c->differences++;
    va_start(args, format);
    text = output_format(format, args);
    va_end(args);
    fprintf(c->out, "%s\n", text);
    free(text);
}

/* How far b is from a, relative to the larger; by which factor, for times. */
static double check_relative(double a, double b)
{
    double size = fmax(fabs(a), fabs(b));

    return a == b || (isnan(a) && isnan(b)) ? 0.0 : size > 0.0 ? fabs(a - b) / size : 0.0;
}

static double check_factor(double a, double b)
{
    return a == b ? 1.0 : a > 0.0 && b > 0.0 ? fmax(a / b, b / a) : INFINITY;
}

/* Cut the first row of CSV off: it ends at a newline that is not in quotes. Returns the rest. */
static char *check_cut(char *text)
{
    bool quoted = false;

    while (*text && (quoted || *text != '\n')) {
        quoted ^= *text++ == '"';
    }
    if (*text) {
        *text++ = '\0';
    }
    return text;
}

/* The rows of a file, as pointers into *text, ended by NULL; the caller frees both. */
static perp_status check_lines(const char *folder, const char *name, char **text,
                               char ***lines, perp_error *err)
{
    char path[PERP_FILE_PATH_LENGTH];
    size_t length = 0, count = 0;
    char *line = NULL;

    *lines = NULL;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    TRY(perp_file_slurp(path, text, &length, err));
    for (size_t k = 0; k < length; k++) {
        count += (*text)[k] == '\n';
    }
    *lines = take(count + 2, sizeof **lines);
    count = 0;
    for (char *next = *text; *(line = next);) {
        next = check_cut(line);
        (*lines)[count] = line;
        count += *line != '\0';
    }
    (*lines)[count] = NULL;
    return PERP_OK;
}

static bool check_number_read(char **lines, const char *name, double *value)
{
    size_t length = strlen(name);

    for (size_t k = 0; lines[k]; k++) {
        if (strncmp(lines[k], name, length) == 0 && lines[k][length] == ',') {
            *value = strtod(lines[k] + length + 1, NULL);
            return true;
        }
    }
    return false;
}

/* A number of the paper: as locked, and as it is now. */
static void check_number(check *c, const paper_number *n, char **lines)
{
    double locked = 0.0, now = n->result;

    c->compared++;
    if (!check_number_read(lines, n->name, &locked)) {
        check_differs(c, "number %s: %.6g now, not locked", n->name, now);
    } else if (n->time && check_factor(locked, now) > c->p->times) {
        check_differs(c, "number %s: %.6g, locked %.6g: a factor of %.3g, at most %.3g",
                      n->name, now, locked, check_factor(locked, now), c->p->times);
    } else if (!n->time && check_relative(locked, now) > n->tolerance) {
        check_differs(c, "number %s: %.6g, locked %.6g: differs by %.2g, at most %.2g",
                      n->name, now, locked, check_relative(locked, now), n->tolerance);
    }
}

static perp_status check_numbers(check *c, perp_error *err)
{
    char *text = NULL, **lines = NULL;
    perp_status status = check_lines(c->locked, "numbers.csv", &text, &lines, err);

    for (size_t k = 0; status == PERP_OK && k < c->p->number_count; k++) {
        check_number(c, &c->p->numbers[k], lines);
    }
    free(lines);
    free(text);
    return status;
}

/* The next field of a line of CSV, without its quotes; *at moves behind it. */
static void check_field(char **at, char *text, size_t length)
{
    bool quoted = **at == '"';
    size_t used = 0;
    char *c = *at + quoted;

    for (; *c && (quoted ? !(*c == '"' && c[1] != '"') : *c != ','); c++) {
        c += quoted && *c == '"'; /* "" is one quote */
        if (used + 1 < length) {
            text[used++] = *c;
        }
    }
    text[used] = '\0';
    c += quoted && *c == '"';
    *at = c + (*c == ',');
}

enum { CSV_TEXT = 192, CSV_KEYS = 4, CSV_NUMBERS = 8 };

/* A line of the tidy CSV of a figure (figures/figure.h). */
typedef struct check_point {
    char key[CSV_KEYS][CSV_TEXT];       /* figure, panel, series, form */
    char number[CSV_NUMBERS][CSV_TEXT]; /* x, y, low, high, least, most, value, failed */
} check_point;

static void check_point_read(check_point *p, char *line)
{
    for (size_t k = 0; k < CSV_KEYS; k++) {
        check_field(&line, p->key[k], CSV_TEXT);
    }
    for (size_t k = 0; k < CSV_NUMBERS; k++) {
        check_field(&line, p->number[k], CSV_TEXT);
    }
}

/* An axis that a clock or the machine decides. */
static bool check_is_timed(const char *heading)
{
    static const char *const words[] = {"time", "memory", "performance ratio"};

    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        if (strstr(heading, words[k])) {
            return true;
        }
    }
    return false;
}

/* The largest relative difference of two points, INFINITY when they are not of one curve. */
static double check_points(const check_point *a, const check_point *b)
{
    double most = 0.0;

    for (size_t k = 0; k < CSV_KEYS; k++) {
        if (strcmp(a->key[k], b->key[k]) != 0) {
            return INFINITY;
        }
    }
    for (size_t k = 0; k < CSV_NUMBERS; k++) {
        char *end = NULL;
        double x = strtod(a->number[k], &end);

        if (strcmp(a->number[k], b->number[k]) != 0) {
            most = fmax(most, *end || end == a->number[k] || !*b->number[k]
                                  ? INFINITY
                                  : check_relative(x, strtod(b->number[k], NULL)));
        }
    }
    return most;
}

/* The curves of a figure, line by line; of timed ones only how many points they have. */
static void check_curves(check *c, const char *name, char **now, char **locked)
{
    double most = 0.0;
    size_t count[2] = {0, 0}, worst = 0;

    while (now[count[0]]) {
        count[0]++;
    }
    while (locked[count[1]]) {
        count[1]++;
    }
    c->compared++;
    if (count[1] == 0 || strcmp(now[0], locked[0]) != 0) {
        check_differs(c, "figure %s: its axes are not the locked ones", name);
        return;
    }
    if (check_is_timed(locked[0])) {
        double factor = check_factor((double)count[0], (double)count[1]);

        if (factor > c->p->times) {
            check_differs(c, "figure %s: %zu point%s, locked %zu", name, count[0] - 1,
                          perp_plural(count[0] - 1), count[1] - 1);
        }
        return;
    }
    if (count[0] != count[1]) {
        check_differs(c, "figure %s: %zu point%s, locked %zu", name, count[0] - 1,
                      perp_plural(count[0] - 1), count[1] - 1);
        return;
    }
    for (size_t k = 1; k < count[0]; k++) {
        check_point a = {0}, b = {0};
        double difference = 0.0;

        check_point_read(&a, now[k]);
        check_point_read(&b, locked[k]);
        difference = check_points(&a, &b);
        if (difference > most) {
            most = difference;
            worst = k;
        }
    }
    if (most > c->p->curves) {
        check_differs(c, "figure %s: line %zu differs by %.2g, at most %.2g", name,
                      worst + 1, most, c->p->curves);
    }
}

/* A figure of the locked results, "energy/drift.csv". */
static perp_status check_figure(check *c, const char *name, perp_error *err)
{
    char *text[2] = {NULL, NULL}, **now = NULL, **locked = NULL;
    perp_error inner = {0};
    perp_status status = check_lines(c->locked, name, &text[1], &locked, err);

    if (status == PERP_OK) {
        if (check_lines(c->fresh, name, &text[0], &now, &inner) == PERP_OK) {
            check_curves(c, name, now, locked);
        } else {
            check_differs(c, "figure %s: locked, but not made now", name);
        }
    }
    free(now);
    free(locked);
    free(text[0]);
    free(text[1]);
    return status;
}

static int check_is_csv(const struct dirent *entry)
{
    return perp_path_ends(entry->d_name, ".csv");
}

/* Every figure of a study that is locked. */
static perp_status check_figures(check *c, const paper_study *s, perp_error *err)
{
    char path[PERP_FILE_PATH_LENGTH];
    struct dirent **entries = NULL;
    int count = 0;
    perp_status status = PERP_OK;

    snprintf(path, sizeof path, "%s/%s", c->locked, s->name);
    count = scandir(path, &entries, check_is_csv, alphasort);
    for (int k = 0; k < count; k++) {
        snprintf(path, sizeof path, "%s/%s", s->name, entries[k]->d_name);
        if (status == PERP_OK) {
            status = check_figure(c, path, err);
        }
        free(entries[k]);
    }
    free(entries);
    return status;
}

/* How many members of `these` are not among `those`, and how many have another value; the name
 * of the first of them replaces an empty *first. */
static size_t check_members(json_t *these, const json_t *those, size_t *changed,
                            const char **first)
{
    const char *key = NULL;
    json_t *value = NULL;
    size_t missing = 0;

    json_object_foreach(these, key, value)
    {
        const json_t *other = json_object_get(those, key);

        missing += !other;
        *changed += other && !json_equal(other, value);
        *first = !**first && (!other || !json_equal(other, value)) ? key : *first;
    }
    return missing;
}

/* The problems of a study: the same names with the same hashes. */
static void check_study(check *c, const char *name, const json_t *now,
                        const json_t *locked)
{
    json_t *a = json_object_get(now, "instances");
    json_t *b = json_object_get(locked, "instances");
    const char *first = "";
    size_t changed = 0, again = 0, missing = 0;

    c->compared++;
    missing = check_members(b, a, &changed, &first);
    missing += check_members(a, b, &again, &first);
    if (changed + missing > 0) {
        check_differs(c,
                      "study %s: %zu problem%s changed, %zu only on one side, first %s",
                      name, changed, changed == 1 ? "" : "s", missing, first);
    }
}

static perp_status check_lock_load(json_t **lock, const char *folder, perp_error *err)
{
    char path[PERP_FILE_PATH_LENGTH];
    perp_source from = {.name = path};
    perp_status status = PERP_OK;

    snprintf(path, sizeof path, "%s/lock.json", folder);
    status = perp_json_load(lock, &from, err);
    perp_source_release(&from);
    return status;
}

static perp_status check_locks(check *c, perp_error *err)
{
    json_t *now = NULL, *locked = NULL;
    perp_status status = check_lock_load(&now, c->fresh, err);

    if (status == PERP_OK) {
        status = check_lock_load(&locked, c->locked, err);
    }
    for (size_t k = 0; status == PERP_OK && k < c->p->study_count; k++) {
        const char *name = c->p->studies[k].name;

        check_study(c, name, json_object_get(json_object_get(now, "studies"), name),
                    json_object_get(json_object_get(locked, "studies"), name));
    }
    if (status == PERP_OK && !json_equal(json_object_get(now, "machines"),
                                         json_object_get(locked, "machines"))) {
        fputs("note: other machines or versions than the locked ones\n", c->out);
    }
    json_decref(now);
    json_decref(locked);
    return status;
}

perp_status paper_check(const paper *p, const char *fresh, const char *locked, FILE *out,
                        size_t *differences, perp_error *err)
{
    check c = {.p = p, .fresh = fresh, .locked = locked, .out = out};
    perp_status status = check_locks(&c, err);

    if (status == PERP_OK) {
        status = check_numbers(&c, err);
    }
    for (size_t k = 0; k < p->study_count && status == PERP_OK; k++) {
        status = check_figures(&c, &p->studies[k], err);
    }
    if (status == PERP_OK) {
        fprintf(out, "%zu compared, %zu differ\n", c.compared, c.differences);
    }
    *differences = c.differences;
    return status;
}
