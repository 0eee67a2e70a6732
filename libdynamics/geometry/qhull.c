/* SPDX-License-Identifier: Apache-2.0
 * geometry/qhull.c: calls of Qhull [barber-1996].
 *
 * Its output goes to a stream in memory, whose first line becomes the error message.
 * Qhull reports errors by longjmp, and would end the program without a setjmp, so every
 * call has one, including the release of memory. */
#include <config.h>

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libqhull_r/qhull_ra.h>

#include "base/memory.h"
#include "geometry/surface.h"
#include "math/math.h"

/* Loops of a facet's corners are counter-clockwise as seen against its normal. */
static bool facet_is_reversed(const facetT *facet, const setT *vertices, int count)
{
    double sum = 0.0;
    const double *o = SETfirstt_(vertices, vertexT)->point;

    for (int k = 1; k + 1 < count; k++) {
        double a[3];
        double b[3];

        vec3_subtract(SETelemt_(vertices, k, vertexT)->point, o, a);
        vec3_subtract(SETelemt_(vertices, k + 1, vertexT)->point, o, b);
        vec3_cross(a, b, a);
        sum += vec3_dot(a, facet->normal);
    }
    return sum < 0.0;
}

/* Write the loop of one facet; its length. */
static int facet_loop(qhT *qh, facetT *facet, int32_t *loop)
{
    setT *vertices = qh_facet3vertex(qh, facet);
    int count = qh_setsize(qh, vertices);
    bool reversed = facet_is_reversed(facet, vertices, count);

    for (int k = 0; k < count; k++) {
        const vertexT *v = SETelemt_(vertices, reversed ? count - 1 - k : k, vertexT);

        loop[k] = qh_pointid(qh, v->point);
    }
    qh_settempfree(qh, &vertices);
    return count;
}

static bool qhull_loops(qhT *qh, surface *facets)
{
    facetT *facet = NULL;
    size_t count = 0;
    size_t uses = 0;

    for (facet = qh->facet_list; facet && facet->next; facet = facet->next) {
        /* corners are as many as sides, sides as many as neighbours or fewer */
        uses += facet->simplicial ? 3 : (size_t)qh_setsize(qh, facet->ridges);
        count++;
    }
    if (!surface_alloc(facets, count, uses)) {
        return false;
    }
    count = 0;
    for (facet = qh->facet_list; facet && facet->next; facet = facet->next) {
        int32_t at = facets->start[count];

        facets->start[++count] = at + facet_loop(qh, facet, facets->corner + at);
    }
    return true;
}

/* Qhull's exit code; qh_ERRmem when our own memory ends. */
static int qhull_run(qhT *qh, size_t n, double *points, surface *facets, FILE *sink)
{
    char command[] = "qhull Pp"; /* no warnings of narrow hulls */
    int code = qh_new_qhull(qh, 3, (int)n, points, False, command, NULL, sink);

    if (code != qh_ERRnone) {
        return code;
    }
    switch (setjmp(qh->errexit)) {
    case 0:
        qh->NOerrexit = False;
        code = qhull_loops(qh, facets) ? qh_ERRnone : qh_ERRmem;
        break;
    case qh_ERRmem:
        code = qh_ERRmem;
        break;
    default:
        code = qh_ERRqhull;
        break;
    }
    qh->NOerrexit = True;
    return code;
}

static void qhull_close(qhT *qh)
{
    int pieces = 0;
    int bytes = 0;

    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &pieces, &bytes);
}

/* The first line of what Qhull said, without its end. */
static void qhull_first_line(char *text)
{
    text[strcspn(text, "\r\n")] = '\0';
}

static perp_status qhull_refuse(int code, size_t n, const char *said, perp_error *err)
{
    if (code == qh_ERRmem) {
        return perp_fail(err, PERP_ERR_MEMORY, "hull: no memory for %zu points", n);
    }
    return perp_fail(err, PERP_ERR_DATA,
                     "hull: Qhull found no hull of %zu points: %.200s", n, said);
}

perp_status qhull_facets(size_t n, double *points, surface *facets, perp_error *err)
{
    qhT *qh = NULL;
    char *said = NULL;
    size_t length = 0;
    FILE *sink = NULL;
    int code = qh_ERRmem;

    memset(facets, 0, sizeof *facets);
    qh = math_alloc(1, sizeof *qh);
    sink = perp_memory_stream(&said, &length);
    if (qh && sink) {
        qh_zero(qh, sink);
        code = qhull_run(qh, n, points, facets, sink);
        qhull_close(qh);
    }
    if (sink) {
        fclose(sink);
    }
    free(qh);
    if (code != qh_ERRnone) {
        surface_free(facets);
        if (said) {
            qhull_first_line(said);
        }
        qhull_refuse(code, n, said ? said : "", err);
    }
    free(said);
    return code == qh_ERRnone  ? PERP_OK
           : code == qh_ERRmem ? PERP_ERR_MEMORY
                               : PERP_ERR_DATA;
}
