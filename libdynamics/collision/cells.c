/* SPDX-License-Identifier: Apache-2.0
 * collision/cells.c: boxes rounded to the cells of a grid, and where they lie on a curve
 * through the cells. */
#include <config.h>

#include <stddef.h>

#include "collision/cells.h"

typedef struct cells_grid {
    double lo[3], scale[3]; /* scale: cells a length [1/m]; 0 where all is in a plane */
    uint64_t flat;          /* a one in each field where that is so */
} cells_grid;

static cells_grid cells_choose_grid(size_t n, const perp_aabb *boxes)
{
    cells_grid grid = {.flat = 0};
    perp_aabb all = boxes[0];
    double widest = 0.0;

    for (size_t i = 1; i < n; i++) {
        for (int k = 0; k < 3; k++) {
            double lo = boxes[i].lo[k];
            double hi = boxes[i].hi[k];

            all.lo[k] = lo < all.lo[k] ? lo : all.lo[k];
            all.hi[k] = hi > all.hi[k] ? hi : all.hi[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        double width = all.hi[k] - all.lo[k];

        widest = width > widest ? width : widest;
        grid.lo[k] = all.lo[k];
    }
    for (int k = 0; k < 3; k++) {
        if (all.hi[k] > all.lo[k]) {
            grid.scale[k] = (double)CELL_MOST / widest;
        } else {
            grid.flat |= UINT64_C(1) << k * CELL_WIDTH;
        }
    }
    return grid;
}

/* The cell of a coordinate. Subtraction, product and truncation keep the order, and so
 * does the bound, which is also where infinity and NaN go: a scene wider than the numbers
 * reach. */
static inline uint64_t cells_of(const cells_grid *grid, double x, int k)
{
    double cell = (x - grid->lo[k]) * grid->scale[k];

    return cell < (double)CELL_MOST ? (uint64_t)(int64_t)cell : CELL_MOST;
}

uint64_t cells_round(size_t n, const perp_aabb *boxes, const bool *immovable,
                     cell_box *cells)
{
    const cells_grid grid = cells_choose_grid(n, boxes);
    uint64_t least = CELL_FIELD;

    for (size_t i = 0; i < n; i++) {
        const double *a = boxes[i].lo;
        const double *b = boxes[i].hi;
        uint64_t lo = cell_pack(cells_of(&grid, a[0], 0), cells_of(&grid, a[1], 1),
                                cells_of(&grid, a[2], 2));
        uint64_t hi = cell_pack(cells_of(&grid, b[0], 0), cells_of(&grid, b[1], 1),
                                cells_of(&grid, b[2], 2));
        uint64_t edges = hi - lo;
        /* at least the longest one, less than twice as much */
        uint64_t edge =
            (edges | edges >> CELL_WIDTH | edges >> 2 * CELL_WIDTH) & CELL_FIELD;

        least = edge < least ? edge : least;
        hi += grid.flat; /* there all overlap, surely */
        cells[i].lo = lo;
        cells[i].hi = hi | CELL_GUARDS | (immovable && immovable[i] ? 0 : CELL_MOVES);
    }
    return least;
}

/* The 20 bits of x to every third place. */
static uint64_t cells_spread(uint64_t x)
{
    x = (x | x << 32) & UINT64_C(0x001f00000000ffff);
    x = (x | x << 16) & UINT64_C(0x001f0000ff0000ff);
    x = (x | x << 8) & UINT64_C(0x100f00f00f00f00f);
    x = (x | x << 4) & UINT64_C(0x10c30c30c30c30c3);
    return (x | x << 2) & UINT64_C(0x1249249249249249);
}

int cells_along_curve(size_t n, const cell_box *cells, uint64_t least, uint64_t *key,
                      uint32_t *box)
{
    int drop = 0;

    while (least >> (drop + 3) >
           0) { /* steps of a fourth to an eighth of the least box */
        drop++;
    }
    for (size_t i = 0; i < n; i++) {
        const cell_box *c = &cells[i];
        uint64_t x[3];

        for (int k = 0; k < 3; k++) {
            x[k] = (cell_coordinate(c->lo, k) + cell_coordinate(c->hi, k)) >> (1 + drop);
        }
        key[i] = cells_spread(x[0]) | cells_spread(x[1]) << 1 | cells_spread(x[2]) << 2;
        box[i] = (uint32_t)i;
    }
    return 3 * (CELL_BITS - drop);
}
