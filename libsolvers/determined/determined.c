/* SPDX-License-Identifier: Apache-2.0
 * determined/determined.c: ranges of linear functions over the answers with given velocities. */
#include <config.h>

#include <cblas.h>

#include "determined.h"
#include "judge/judge.h"

static const double residual_most = 1e-6;
/* Velocities that count as 0, relative to beta: a multiple of the residual, and at least so many. */
static const double open_factor = 30.0, open_least = 1e-8;
static const double determined_most = 1e-6; /* hi - lo, of the largest impulse */
static const double basis_most =
    1e-9; /* |c - Q Q^T c| of a function that is determined */
static const double far_start = 100.0;
static const double zero_most = 1e-12;   /* of the scale: a bound of rounding */
static const double reached_most = 1e-9; /* a point this near to a bound reaches it */

const char *perp_freedom_name(perp_freedom freedom)
{
    static const char *const names[] = {
#define PERP_ENUM(name, text) [name] = text,
        PERP_FREEDOM_LIST(PERP_ENUM)
#undef PERP_ENUM
    };

    return (size_t)freedom < sizeof names / sizeof *names ? names[freedom] : NULL;
}

const char *perp_determinacy_name(perp_determinacy determinacy)
{
    static const char *const names[] = {
#define PERP_ENUM(name, text) [name] = text,
        PERP_DETERMINACY_LIST(PERP_ENUM)
#undef PERP_ENUM
    };

    return (size_t)determinacy < sizeof names / sizeof *names ? names[determinacy] : NULL;
}

static perp_status determined_check(const perp_problem *p, const double *z,
                                    perp_error *err)
{
    double residual = 0.0;

    TRY(perp_check_arguments(p && z, "perp_determined_new", err));
    if (!p->A) {
        return perp_fail(
            err, PERP_ERR_ARGUMENT,
            "a global problem: expected A, as perp_reform_condense makes it");
    }
    residual = perp_residual(p, z);
    if (!(residual <= residual_most)) {
        return perp_fail(err, PERP_ERR_UNSUITABLE,
                         "the residual of the answer is %.1e: expected at most %.0e",
                         residual, residual_most);
    }
    return PERP_OK;
}

static perp_status determined_make(perp_determined *d, const double *z, perp_error *err)
{
    const perp_problem *p = d->p;
    double residual = 0.0;
    double *blocks = NULL;

    TRY(perp_workspace_new(&d->ws, 0, err));
    d->z = perp_workspace_reals(d->ws, p->n);
    d->w = perp_workspace_reals(d->ws, p->n);
    d->s = perp_workspace_reals(d->ws, p->n);
    d->c = perp_workspace_reals(d->ws, p->n);
    blocks = perp_workspace_reals(d->ws, 2 * p->set->count);
    TRY(perp_workspace_status(d->ws, err));
    memcpy(d->z, z, p->n * sizeof *z);
    perp_operator_apply(p->A, z, d->w);
    for (size_t i = 0; i < p->n; i++) {
        d->w[i] += p->b[i];
    }
    TRY(perp_residual_blocks(p, z, d->w, blocks, blocks + p->set->count, &d->beta, err));
    for (size_t k = 0; k < p->set->count; k++) {
        residual = fmax(residual, blocks[k]);
        for (unsigned i = 0; i < p->set->blocks[k].dim; i++) {
            d->s[p->set->blocks[k].first + i] = blocks[p->set->count + k];
        }
    }
    residual = d->beta > 0.0 ? residual : 0.0;
    TRY(perp_determined_equations(&d->equations, p, err));
    d->most = fmax(open_least, open_factor * residual);
    TRY(perp_determined_open(d, d->most * (d->beta > 0.0 ? d->beta : 1.0), err));
    TRY(perp_determined_split(d, err));
    d->u = perp_workspace_reals(d->ws, d->equations.J->cols + d->links + 1);
    d->of = perp_workspace_sizes(d->ws, p->n);
    TRY(perp_workspace_status(d->ws, err));
    memset(d->of, 0xff, p->n * sizeof *d->of);
    for (size_t j = 0; j < d->count; j++) {
        for (size_t i = 0; i < d->variable[j].count; i++) {
            d->of[d->variable[j].row[i]] = j;
        }
    }
    return PERP_OK;
}

perp_status perp_determined_new(perp_determined **d, const perp_problem *p,
                                const double *z, perp_error *err)
{
    perp_status status = PERP_OK;

    TRY(perp_check_arguments(d, "perp_determined_new", err));
    *d = NULL;
    TRY(determined_check(p, z, err));
    *d = calloc(1, sizeof **d);
    if (!*d) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for the set of an answer");
    }
    (*d)->p = p;
    status = determined_make(*d, z, err);
    if (status != PERP_OK) {
        perp_determined_free(*d);
        *d = NULL;
    }
    return status;
}

void perp_determined_free(perp_determined *d)
{
    if (d) {
        for (size_t i = 0; i < d->islands; i++) {
            perp_program_close(&d->island[i].program);
            perp_program_close(&d->island[i].recession);
        }
        perp_determined_equations_free(&d->equations);
        perp_set_free(d->set);
        perp_workspace_free(d->ws);
        free(d);
    }
}

const perp_freedom *perp_determined_freedom(const perp_determined *d)
{
    return d->freedom;
}

size_t perp_determined_degree(const perp_determined *d)
{
    size_t degree = 0;

    for (size_t i = 0; i < d->islands; i++) {
        if (d->island[i].degree == PERP_DEGREE_UNKNOWN) {
            return PERP_DEGREE_UNKNOWN;
        }
        degree += d->island[i].degree;
    }
    return degree;
}

/* c of the variables of an island, in units of its program, and the largest of its rows in their units. */
static double function_gather(const perp_determined *d, determined_island *g)
{
    double largest = 0.0;

    for (size_t i = 0; i < g->n; i++) {
        const determined_variable *v = &d->variable[g->variable[i]];

        g->c[i] = 0.0;
        for (size_t k = 0; k < v->count; k++) {
            g->c[i] += v->coef[k] * d->c[v->row[k]] / g->unit[i];
            largest = fmax(largest, fabs(d->c[v->row[k]]) / g->unit[i]);
        }
    }
    return largest;
}

/* Whether c lies in the row space: c - Q Q^T c = 0. */
static bool function_fixed(determined_island *g, double largest)
{
    if (g->degree == 0 || largest == 0.0) {
        return true;
    }
    if (!g->Q) {
        return false;
    }
    memcpy(g->rest, g->c, g->n * sizeof *g->rest);
    for (size_t j = 0; j < g->rank; j++) {
        const double *q = g->Q + j * g->n;
        double dot = cblas_ddot((int)g->n, q, 1, g->c, 1);

        cblas_daxpy((int)g->n, -dot, q, 1, g->rest, 1);
    }
    return perp_largest(g->n, g->rest) <= basis_most * largest;
}

/* Keep the ranges that a point of the island shows. */
static void island_keep(determined_island *g)
{
    for (size_t i = 0; i < g->n; i++) {
        g->least[i] = fmin(g->least[i], g->program.y[i]);
        g->most[i] = fmax(g->most[i], g->program.y[i]);
    }
}

/* proof += sign size J u, the row of the row space that the dual point of the last program gives. */
static void function_prove(const perp_determined *d, const determined_island *g,
                           double factor, double *proof)
{
    const perp_operator *J = d->equations.J;
    size_t columns = J->cols + d->links;
    double *u = d->u;

    memset(u, 0, columns * sizeof *u);
    perp_program_velocities(&g->program, g->column, u);
    for (size_t i = 0; i < d->p->n; i++) {
        for (size_t e = J->ptr[i]; e < J->ptr[i + 1]; e++) {
            double scale = d->equations.scale[J->col[e]];

            proof[i] += scale > 0.0 ? factor * J->x[e] / scale * u[J->col[e]] : 0.0;
        }
    }
}

/* How far below c.y* the least value of sign c.y over the island lies, in units of the answer. */
static perp_status function_least(perp_determined *d, determined_island *g, double sign,
                                  double largest, double *below, bool *resolved,
                                  double *proof, perp_error *err)
{
    double bound = 0.0;
    bool unbounded = false;

    for (size_t i = 0; i < g->n; i++) {
        g->rest[i] = sign / largest * g->c[i];
    }
    TRY(perp_program_run(&g->program, g->rest, NULL, &bound, err));
    if (!isfinite(bound)) {
        TRY(perp_determined_falls(g, g->rest, &unbounded, err));
    }
    if (!isfinite(bound) && !unbounded) { /* the optimum may be far away */
        g->program.start = far_start;
        TRY(perp_program_run(&g->program, g->rest, NULL, &bound, err));
        g->program.start = 1.0;
    }
    if (!isfinite(bound)) {
        *resolved = *resolved && unbounded;
        *below = INFINITY;
        if (proof) {
            proof[0] = NAN;
        }
        return PERP_OK;
    }
    for (size_t i = 0; i < g->n; i++) {
        bound -= g->rest[i] * g->y[i];
    }
    *below += fmax(0.0, -bound) * largest * g->size;
    island_keep(g);
    if (proof) {
        function_prove(d, g, sign * largest, proof);
    }
    return PERP_OK;
}

/* The range of d->c from how far it goes below and above its value at the answer. */
static void function_finish(const perp_determined *d, double below, double above,
                            bool resolved, double scale, perp_interval *interval)
{
    double value = 0.0;
    double tiny = zero_most * scale;

    for (size_t i = 0; i < d->p->n; i++) {
        value += d->c[i] * d->z[i];
    }
    *interval = (perp_interval){value - below, value + above, PERP_INDETERMINATE};
    interval->lo = fabs(interval->lo) <= tiny ? 0.0 : interval->lo;
    interval->hi = fabs(interval->hi) <= tiny ? 0.0 : interval->hi;
    if (!resolved) {
        interval->kind = PERP_UNRESOLVED;
    } else if (!isfinite(below + above)) {
        interval->kind = PERP_UNLIMITED;
    } else if (below + above <= determined_most * scale) {
        *interval = (perp_interval){value, value, PERP_DETERMINED};
    }
}

/* The range of d->c. */
static perp_status function_range(perp_determined *d, perp_interval *interval,
                                  double *proof, perp_error *err)
{
    double below = 0.0;
    double above = 0.0;
    double scale = 0.0;
    bool resolved = true;

    for (size_t i = 0; i < d->islands; i++) {
        determined_island *g = &d->island[i];
        double largest = function_gather(d, g);

        if (!function_fixed(g, largest)) {
            scale = fmax(scale, largest * g->size);
            TRY(function_least(d, g, 1.0, largest, &below, &resolved, proof, err));
            TRY(function_least(d, g, -1.0, largest, &above, &resolved,
                               proof ? proof + d->p->n : NULL, err));
        }
    }
    function_finish(d, below, above, resolved, scale, interval);
    return PERP_OK;
}

perp_status perp_determined_function(perp_determined *d, size_t count, const size_t *row,
                                     const double *c, perp_interval *interval,
                                     double *proof, perp_error *err)
{
    TRY(perp_check_arguments(d && interval && (count == 0 || (row && c)),
                             "perp_determined_function", err));
    memset(d->c, 0, d->p->n * sizeof *d->c);
    if (proof) {
        memset(proof, 0, 2 * d->p->n * sizeof *proof);
    }
    for (size_t i = 0; i < count; i++) {
        if (row[i] >= d->p->n) {
            return perp_fail(err, PERP_ERR_ARGUMENT, "row %zu: expected less than %zu",
                             row[i], d->p->n);
        }
        d->c[row[i]] += c[i];
    }
    return function_range(d, interval, proof, err);
}

/* The range that the set of its block alone leaves to variable i of an island. */
static void variable_bounds(const determined_island *g, size_t i, double *lo, double *hi)
{
    const perp_set *K = g->program.K;
    const perp_block *block = &K->blocks[perp_set_block_at(K, i)];

    *lo = -INFINITY;
    *hi = INFINITY;
    if (block->kind == PERP_SET_NONNEG ||
        (block->kind == PERP_SET_CONE && i == block->first)) {
        *lo = 0.0;
    } else if (block->kind == PERP_SET_BOX) {
        *lo = block->lo;
        *hi = block->hi;
    }
}

/* The range of the row of a variable; a bound that a known point reaches needs no program. */
static perp_status variable_range(perp_determined *d, size_t row, perp_interval *interval,
                                  perp_error *err)
{
    const determined_variable *v = &d->variable[d->of[row]];
    determined_island *g = &d->island[v->island];
    double largest = function_gather(d, g);
    double coef = 0.0;
    double lo = 0.0;
    double hi = 0.0;
    double below = 0.0;
    double above = 0.0;
    bool resolved = true;
    bool up = true;

    if (function_fixed(g, largest)) {
        function_finish(d, 0.0, 0.0, true, 0.0, interval);
        return PERP_OK;
    }
    variable_bounds(g, v->place, &lo, &hi);
    coef = fabs(g->c[v->place]) * g->size;
    up = g->c[v->place] > 0.0;       /* a ray has negative parts */
    for (size_t t = 0; t < 2; t++) { /* the largest first: its points have zeros */
        bool most = t == 0;
        double *distance = most == up ? &above : &below;
        double reached = most ? hi - g->most[v->place] : g->least[v->place] - lo;

        double widest = coef * (most ? hi - g->y[v->place] : g->y[v->place] - lo);

        if (reached > reached_most) {
            TRY(function_least(d, g, most == up ? -1.0 : 1.0, largest, distance,
                               &resolved, NULL, err));
            widest = fmin(widest, *distance);
        }
        *distance = fmax(widest, 0.0);
    }
    function_finish(d, below, above, resolved, largest * g->size, interval);
    return PERP_OK;
}

perp_status perp_determined_rows(perp_determined *d, size_t count, const size_t *row,
                                 perp_interval *interval, perp_error *err)
{
    TRY(perp_check_arguments(d && (count == 0 || (row && interval)),
                             "perp_determined_rows", err));
    memset(d->c, 0, d->p->n * sizeof *d->c);
    for (size_t i = 0; i < count; i++) {
        if (row[i] >= d->p->n) {
            return perp_fail(err, PERP_ERR_ARGUMENT, "row %zu: expected less than %zu",
                             row[i], d->p->n);
        }
        d->c[row[i]] = 1.0;
        if (d->of[row[i]] == DETERMINED_NO_VARIABLE) {
            function_finish(d, 0.0, 0.0, true, 0.0, &interval[i]);
        } else {
            TRY(variable_range(d, row[i], &interval[i], err));
        }
        d->c[row[i]] = 0.0;
    }
    return PERP_OK;
}

double perp_determined_scale(const perp_determined *d, size_t row)
{
    const determined_variable *v = NULL;
    const determined_island *g = NULL;

    if (row >= d->p->n || d->of[row] == DETERMINED_NO_VARIABLE) {
        return 0.0;
    }
    v = &d->variable[d->of[row]];
    g = &d->island[v->island];
    return g->size / g->unit[v->place];
}

/* y := the answer with the points of the islands in place of their variables. */
static void determined_point(const perp_determined *d, const determined_island *g,
                             const double *point, double *y)
{
    for (size_t i = 0; i < g->n; i++) {
        const determined_variable *v = &d->variable[g->variable[i]];
        double change = (point[i] - g->y[i]) * g->size / g->unit[i];

        for (size_t k = 0; k < v->count; k++) {
            y[v->row[k]] += v->coef[k] * change;
        }
    }
}

static perp_status determined_extreme(perp_determined *d, bool spread, double *y,
                                      perp_error *err)
{
    memcpy(y, d->z, d->p->n * sizeof *y);
    for (size_t k = 0; k < d->islands; k++) {
        determined_island *g = &d->island[k];
        bool found = true;
        double bound = 0.0;

        if (g->degree == 0) {
            continue;
        }
        for (size_t i = 0; i < g->n; i++) {
            const determined_variable *v = &d->variable[g->variable[i]];

            g->c[i] = g->rest[i] = 0.0;
            for (size_t e = 0; e < v->count; e++) {
                double part = v->coef[e] * d->s[v->row[e]] / g->unit[i];

                g->rest[i] += part * part;
            }
        }
        if (spread) {
            TRY(perp_determined_spread_island(g, g->rest, g->c, &found, err));
        } else {
            TRY(perp_program_run(&g->program, g->c, g->rest, &bound, err));
            memcpy(g->c, g->program.y, g->n * sizeof *g->c);
            found = isfinite(bound);
        }
        if (!found) {
            return perp_fail(err, PERP_ERR_UNSUITABLE,
                             "the program of %zu variables ended without a point", g->n);
        }
        determined_point(d, g, g->c, y);
    }
    return PERP_OK;
}

perp_status perp_determined_least(perp_determined *d, double *y, perp_error *err)
{
    TRY(perp_check_arguments(d && y, "perp_determined_least", err));
    return determined_extreme(d, false, y, err);
}

perp_status perp_determined_spread(perp_determined *d, double *y, perp_error *err)
{
    TRY(perp_check_arguments(d && y, "perp_determined_spread", err));
    return determined_extreme(d, true, y, err);
}

bool perp_determined_same(const perp_determined *d, const double *y, size_t *row,
                          double *part)
{
    double *w = d->c;
    double beta = d->beta > 0.0 ? d->beta : 1.0;

    *row = 0;
    *part = 0.0;
    perp_operator_apply(d->p->A, y, w);
    for (size_t i = 0; i < d->p->n; i++) {
        double off = fabs(w[i] + d->p->b[i] - d->w[i]) / (d->s[i] * beta);

        if (!(off <= *part)) {
            *part = off;
            *row = i;
        }
    }
    return *part <= d->most;
}
