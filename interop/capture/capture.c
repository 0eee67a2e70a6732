/* SPDX-License-Identifier: Apache-2.0
 * capture/capture.c: the problem of a step, and the file. */
#include <config.h>

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <perp/sequence.h>
#include <perp/triplets.h>

#include "interop/capture/capture.h"
#include "interop/capture/capture_contacts.h"
#include "interop/capture/capture_labels.h"

/* The file, and the steps asked for. */
static struct {
    pthread_mutex_t lock;
    const char *path; /* NULL: no capture */
    pid_t process;    /* the one that writes: not a child */
    size_t first, last, every;
    size_t step; /* steps that were started */
    double t;    /* [s], the sum of their lengths */
    perp_sequence *sequence;
    bool ended;   /* no more steps: all were seen, or there was a failure */
    bool written; /* or cannot be */
} capture = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The step under construction, of one thread. */
typedef struct capture_step {
    const capture_engine *engine;
    size_t number;
    double t, h;
    bool active, wanted;
    capture_row *rows;
    double *z; /* the engine's answer */
    size_t n, capacity, velocities;
    size_t first, first_velocity; /* of the last island */
    bool factors;
    perp_triplets A, J, G; /* of an extent that grows */
} capture_step;

static _Thread_local capture_step step;

void capture_fail(const char *format, ...)
{
    va_list list;

    pthread_mutex_lock(&capture.lock);
    if (!capture.ended) {
        va_start(list, format);
        fputs("perp capture: ", stderr);
        vfprintf(stderr, format, list);
        fputc('\n', stderr);
        va_end(list);
        capture.ended = true;
    }
    pthread_mutex_unlock(&capture.lock);
}

/* "FIRST:LAST:EVERY", each may be missing; "LAST" alone. */
static bool capture_read_steps(const char *text)
{
    size_t *const parts[] = {&capture.first, &capture.last, &capture.every};
    size_t k = strchr(text, ':') ? 0 : 1;

    for (;; k++) {
        char *end = NULL;
        unsigned long long value = 0;

        if (*text >= '0' && *text <= '9') {
            errno = 0;
            value = strtoull(text, &end, 10);
            if (k > 2 || errno != 0 || value == 0 || value > SIZE_MAX) {
                return false;
            }
            *parts[k] = (size_t)value;
            text = end;
        }
        if (*text == '\0') {
            return capture.first <= capture.last;
        }
        if (*text++ != ':' || k >= 2) {
            return false;
        }
    }
}

/* Write what there is, once; also after a failure, which ends the sequence early. */
static void capture_write(void)
{
    perp_error err = {0};
    bool write = false;

    pthread_mutex_lock(&capture.lock);
    write = !capture.written && capture.sequence && getpid() == capture.process &&
            perp_sequence_count(capture.sequence) > 0;
    capture.written = capture.written || write;
    pthread_mutex_unlock(&capture.lock);
    if (write && perp_sequence_write(capture.sequence, capture.path, &err) != PERP_OK) {
        capture_fail("%s", err.text);
    }
    pthread_mutex_lock(&capture.lock);
    capture.ended = true;
    pthread_mutex_unlock(&capture.lock);
}

/* A program that ends without a captured problem is told so. */
static void capture_report_empty(void)
{
    if (!capture.sequence && getpid() == capture.process) {
        capture_fail("%s: %zu steps were seen and no problem, %s is not written",
                     program_invocation_short_name, capture.step, capture.path);
    }
}

__attribute__((constructor)) static void capture_start(void)
{
    const char *path = getenv("PERP_CAPTURE");
    const char *steps = getenv("PERP_CAPTURE_STEPS");

    capture.first = 1;
    capture.last = SIZE_MAX;
    capture.every = 1;
    capture.process = getpid();
    if (!path || !*path) {
        capture.ended = true;
        return;
    }
    capture.path = path;
    atexit(capture_report_empty);
    if (steps && !capture_read_steps(steps)) {
        capture_fail("PERP_CAPTURE_STEPS is \"%s\", expected FIRST:LAST:EVERY, "
                     "numbers from 1, or LAST",
                     steps);
    }
}

bool capture_on(void)
{
    bool on = false;

    pthread_mutex_lock(&capture.lock);
    on = !capture.ended;
    pthread_mutex_unlock(&capture.lock);
    return on;
}

void *capture_next(const char *symbol)
{
    void *found = dlsym(RTLD_NEXT, symbol);

    if (!found) {
        capture_fail("the engine has no function %s", symbol);
    }
    return found;
}

/* The sequence, named after the engine and the program; NULL after a message. */
static perp_sequence *capture_open(const char *engine)
{
    perp_error err = {0};
    char name[128];

    if (!capture.sequence) {
        snprintf(name, sizeof name, "%s in %s", engine, program_invocation_short_name);
        if (perp_sequence_new(&capture.sequence, name, &err) != PERP_OK) {
            return NULL;
        }
        atexit(capture_write);
    }
    return capture.sequence;
}

bool capture_step_start(const capture_engine *engine, const void *world, double h)
{
    if (step.active || !capture_on()) {
        return false;
    }
    pthread_mutex_lock(&capture.lock);
    step.number = ++capture.step;
    step.t = capture.t;
    capture.t += h;
    pthread_mutex_unlock(&capture.lock);
    capture_contacts_start(world);
    step.engine = engine;
    step.h = h;
    step.active = true;
    step.wanted = step.number >= capture.first && step.number <= capture.last &&
                  (step.number - capture.first) % capture.every == 0;
    step.n = step.velocities = 0;
    step.factors = false;
    perp_triplets_init(&step.A, INT32_MAX, INT32_MAX, 0);
    perp_triplets_init(&step.J, INT32_MAX, INT32_MAX, 0);
    perp_triplets_init(&step.G, INT32_MAX, INT32_MAX, 0);
    return step.wanted;
}

bool capture_active(void)
{
    return step.active;
}

bool capture_wanted(void)
{
    return step.active && step.wanted;
}

/* Memory for n rows more. */
static bool capture_grow(size_t n)
{
    size_t capacity = 2 * (step.n + n);
    capture_row *rows = NULL;
    double *z = NULL;

    if (step.n + n <= step.capacity) {
        return true;
    }
    rows = realloc(step.rows, capacity * sizeof *rows);
    if (rows) {
        step.rows = rows;
    }
    z = realloc(step.z, capacity * sizeof *z);
    if (z) {
        step.z = z;
    }
    if (!rows || !z) {
        capture_fail("no memory for %zu rows", step.n + n);
        step.wanted = false;
        return false;
    }
    step.capacity = capacity;
    return true;
}

void capture_island(const capture_row *rows, size_t n, size_t velocities)
{
    if (!capture_wanted() || !capture_grow(n)) {
        return;
    }
    step.first = step.n;
    step.first_velocity = step.velocities;
    step.factors = step.factors || velocities > 0;
    step.n += n;
    step.velocities += velocities;
    for (size_t i = 0; i < n; i++) {
        capture_row *row = &step.rows[step.first + i];

        step.z[step.first + i] = NAN; /* no answer yet */
        *row = rows[i];
        row->normal = rows[i].normal < 0 ? -1 : rows[i].normal + (ptrdiff_t)step.first;
    }
}

void capture_entry(size_t i, size_t j, double a)
{
    if (capture_wanted()) {
        perp_triplets_add(&step.A, step.first + i, step.first + j, a);
    }
}

void capture_factor(size_t i, size_t k, double J, double G)
{
    if (capture_wanted()) {
        perp_triplets_add(&step.J, step.first + i, step.first_velocity + k, J);
        perp_triplets_add(&step.G, step.first + i, step.first_velocity + k, G);
    }
}

void capture_answer(size_t i, double z)
{
    if (capture_wanted()) {
        step.z[step.first + i] = z;
    }
}

void capture_matrix(const double *A, size_t n, size_t stride, bool lower)
{
    for (size_t i = 0; i < n && capture_wanted(); i++) {
        for (size_t j = 0; j < n; j++) {
            double a = lower && j > i ? A[j * stride + i] : A[i * stride + j];

            if (a != 0.0 || i == j) {
                capture_entry(i, j, a);
            }
        }
    }
}

/* The blocks of the rows, and their keys. */
static void capture_blocks(perp_set *set, uint64_t *keys)
{
    for (size_t i = 0; i < step.n; i++) {
        const capture_row *row = &step.rows[i];

        if (row->cone == 1) {
            continue;
        }
        keys[set->count] = row->key;
        if (row->cone == 3) {
            perp_set_add_cone(set, 3, row->mu);
        } else if (row->normal >= 0) {
            perp_set_add_friction(set, row->mu, (size_t)row->normal);
        } else if (row->lo == -INFINITY && row->hi == INFINITY) {
            perp_set_add_free(set);
        } else if (row->lo == 0.0 && row->hi == INFINITY) {
            perp_set_add_nonneg(set);
        } else {
            perp_set_add_box(set, row->lo, row->hi);
        }
    }
}

/* A of the step: entries, or J, G and C. */
static perp_status capture_operator(perp_operator **A, perp_error *err)
{
    perp_operator *J = NULL, *G = NULL;
    double *C = NULL;
    perp_status status = PERP_OK;

    step.A.rows = step.A.cols = step.J.rows = step.G.rows = step.n;
    step.J.cols = step.G.cols = step.velocities;
    if (!step.factors) {
        return perp_triplets_finish(A, &step.A, err);
    }
    C = perp_reals_new(step.n);
    if (!C) {
        return perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", step.n);
    }
    for (size_t i = 0; i < step.n; i++) {
        C[i] = step.rows[i].c;
    }
    status = perp_triplets_finish(&J, &step.J, err);
    if (status == PERP_OK) {
        status = perp_triplets_finish(&G, &step.G, err);
    }
    if (status == PERP_OK) {
        const perp_arrays rows = perp_operator_arrays(J);

        status = perp_operator_new_factors(A, &rows, perp_operator_arrays(G).x, C, err);
    }
    perp_operator_free(J);
    perp_operator_free(G);
    free(C);
    return status;
}

/* The texts, and the engine's answer where it is finite. */
static perp_status capture_describe(perp_problem *p, perp_error *err)
{
    char text[160];
    bool finite = true;

    snprintf(text, sizeof text, "step-%zu", step.number);
    p->name = perp_text_new(text);
    snprintf(text, sizeof text, "%s, step %zu of %s", step.engine->name, step.number,
             program_invocation_short_name);
    p->title = perp_text_new(text);
    p->math_info = perp_text_new(step.engine->conventions);
    for (size_t i = 0; i < step.n; i++) {
        finite = finite && isfinite(step.z[i]);
    }
    p->solution = finite ? calloc(1, sizeof *p->solution) : NULL;
    if (p->solution && (p->solution->z = perp_reals_new(step.n))) {
        memcpy(p->solution->z, step.z, step.n * sizeof *step.z);
    }
    return p->name && p->title && p->math_info &&
                   (!finite || (p->solution && p->solution->z))
               ? PERP_OK
               : perp_fail(err, PERP_ERR_MEMORY, "no memory for its texts");
}

/* The problem of the step; what was made is in the item also on failure. */
static perp_status capture_item(perp_sequence_item *item, perp_error *err)
{
    perp_operator *A = NULL;
    perp_set *set = NULL;
    double *b = NULL;
    perp_law law = PERP_LAW_COULOMB;
    perp_status status = perp_set_new(&set, step.n, err);

    item->t = step.t;
    item->h = step.h;
    if (status != PERP_OK) {
        return status;
    }
    b = perp_reals_new(step.n);
    item->keys = calloc(step.n, sizeof *item->keys);
    if (b && item->keys) {
        capture_blocks(set, item->keys);
        for (size_t i = 0; i < step.n; i++) {
            b[i] = step.rows[i].b;
        }
        status = capture_operator(&A, err);
    } else {
        status = perp_fail(err, PERP_ERR_MEMORY, "no memory for %zu rows", step.n);
    }
    if (status != PERP_OK) {
        free(b);
        perp_set_free(set);
        return status;
    }
    law = perp_set_count(set, PERP_SET_CONE) > 0 ? PERP_LAW_ASSOCIATED : PERP_LAW_COULOMB;
    status = perp_problem_new_take(&item->problem, A, b, set, law, err);
    if (status == PERP_OK) {
        status = capture_describe(item->problem, err);
    }
    if (status == PERP_OK) {
        status = capture_labels(item->problem, step.rows, step.n, err);
    }
    return status == PERP_OK ? capture_origin(item->problem, step.engine, step.number,
                                              step.t, step.h, err)
                             : status;
}

static void capture_store(void)
{
    perp_error err = {0};
    perp_sequence_item item = {0};
    perp_status status = capture_item(&item, &err);

    pthread_mutex_lock(&capture.lock);
    if (status == PERP_OK && !capture_open(step.engine->name)) {
        status = perp_fail(&err, PERP_ERR_MEMORY, "no memory for the sequence");
    }
    if (status == PERP_OK) {
        status = perp_sequence_add(capture.sequence, &item, &err);
    }
    pthread_mutex_unlock(&capture.lock);
    perp_sequence_item_clear(&item);
    if (status != PERP_OK) {
        capture_fail("%s, step %zu: %s", step.engine->name, step.number, err.text);
    }
}

void capture_step_end(void)
{
    if (!step.active) {
        return;
    }
    if (step.wanted && step.n > 0) {
        capture_store();
    }
    perp_triplets_free(&step.A);
    perp_triplets_free(&step.J);
    perp_triplets_free(&step.G);
    free(step.rows);
    free(step.z);
    step = (capture_step){0};
    capture_contacts_end();
    if (capture.step >= capture.last) {
        capture_report_empty();
        capture_write();
    }
}
