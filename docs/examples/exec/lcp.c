/* exec:./lcp: projected Gauss-Seidel for an LCP, with libperp-solvers as the reader of the
 * instance. cc lcp.c -o lcp $(pkg-config --cflags --libs perp-solvers) -lm */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <perp/perp.h>

static double now(void)
{
    struct timespec t;

    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The change of the largest z_i in a sweep. */
static double sweep(const perp_problem *p, double *z)
{
    double change = 0.0;

    for (size_t i = 0; i < p->n; i++) {
        double w = p->b[i] + perp_operator_row_dot(p->A, i, z);
        double next = fmax(0.0, z[i] - w / perp_operator_diagonal(p->A, i));

        change = fmax(change, fabs(next - z[i]));
        z[i] = next;
    }
    return change;
}

int main(void)
{
    const char *most = getenv("PERP_MAX_ITERATIONS");
    size_t limit = most && atol(most) > 0 ? (size_t)atol(most) : 10000, count = 0, k = 0;
    perp_problem *p = NULL;
    perp_error err;
    double *z = NULL, begin = 0.0, seconds = 0.0;
    FILE *out = NULL;

    if (perp_problem_read(&p, getenv("PERP_INSTANCE"), NULL, NULL, &err) != PERP_OK ||
        perp_vector_read(&z, &count, getenv("PERP_START"), &err) != PERP_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    if (perp_problem_kind(p) != PERP_KIND_LCP) {
        fprintf(stderr, "expected an LCP\n");
        return 3;
    }
    begin = now();
    while (k++ < limit && sweep(p, z) > 1e-14) {
    }
    seconds = now() - begin;
    out = fopen(getenv("PERP_SOLUTION"), "w");
    if (!out) {
        return 1;
    }
    fprintf(out, "{\"z\": [");
    for (size_t i = 0; i < p->n; i++) {
        fprintf(out, "%s%.17g", i ? ", " : "", z[i]);
    }
    fprintf(out, "], \"claim\": \"%s\", \"seconds\": %.9g, \"iterations\": %zu}\n",
            k <= limit ? "solved" : "iteration limit", seconds, k);
    perp_problem_free(p);
    free(z);
    return fclose(out) != 0;
}
