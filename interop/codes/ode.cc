/* SPDX-License-Identifier: Apache-2.0
 * codes/ode.cc: the Dantzig solver of ODE, dWorldStep's, on A, b, lo, hi, findex themselves.
 *
 * ODE exports dxSolveLCP, but no header declares it: the declarations below are those of its
 * version 0.16, and configure checks for the mangled name. The solver reads the lower triangle
 * of A, whose rows are padded to multiples of four numbers (dPAD). It sorts the rows itself, free
 * rows first and friction rows last. Friction rows take their bounds from the normals when the
 * first of them is reached, and keep them. It knows no start, no tolerance and no limit; where a
 * step is not positive it sends the message d_ERR_LCP and sets the rows that are left to 0. */
#include <cstdarg>
#include <cstdio>
#include <memory>
#include <vector>

#include <ode/ode.h>

#include "interop/codes/boxed.h"

struct dxWorldProcessMemoryManager;
struct dxWorldProcessMemoryReserveInfo;

/* A stack of memory. */
class dxWorldProcessMemArena
{
  public:
    void *current; /* NULL until it is reset to `begin` */
    void *begin, *end, *arena;
    const dxWorldProcessMemoryManager *manager;
};

dxWorldProcessMemArena *dxAllocateTemporaryWorldProcessMemArena(
    size_t size, const dxWorldProcessMemoryManager *,
    const dxWorldProcessMemoryReserveInfo *);
void dxFreeTemporaryWorldProcessMemArena(dxWorldProcessMemArena *);
size_t dxEstimateSolveLCPMemoryReq(unsigned n, bool outer_w);
/* bx: pairs (b_i, x_i); lohi: pairs (lo_i, hi_i); nub: the number of free rows that come first. */
void dxSolveLCP(dxWorldProcessMemArena *, unsigned n, dReal *A, dReal *bx, dReal *w,
                unsigned nub, dReal *lohi, int *findex);

namespace
{
bool complained = false;

void ode_message(int number, const char *text, va_list values)
{
    complained = complained || number == d_ERR_LCP;
    vfprintf(stderr, text, values);
    fputc('\n', stderr);
}

/* The arena, empty; or NULL where it is not as declared above. */
dxWorldProcessMemArena *ode_arena(unsigned n)
{
    size_t size = dxEstimateSolveLCPMemoryReq(n, true);
    dxWorldProcessMemArena *arena =
        dxAllocateTemporaryWorldProcessMemArena(size, nullptr, nullptr);
    const char *begin = arena ? static_cast<char *>(arena->begin) : nullptr;
    const char *end = arena ? static_cast<char *>(arena->end) : nullptr;

    if (!arena || arena->current || begin < reinterpret_cast<char *>(arena + 1) ||
        end < begin || static_cast<size_t>(end - begin) < size) {
        return nullptr;
    }
    arena->current = arena->begin;
    return arena;
}

code_end ode_solve(boxed_rows *rows, code_answer *answer)
{
    const unsigned n = static_cast<unsigned>(rows->n);
    std::vector<dReal> bx(2 * rows->n), lohi(2 * rows->n), w(rows->n);
    dxWorldProcessMemArena *arena = ode_arena(n);
    double start = 0.0;

    if (!arena) {
        snprintf(answer->message, sizeof answer->message,
                 "no memory for %u rows, or the work space of ODE %s is not that of 0.16",
                 n, dODE_VERSION);
        return CODE_FAILED;
    }
    for (size_t i = 0; i < rows->n; i++) {
        bx[2 * i] = rows->b[i];
        lohi[2 * i] = rows->lo[i];
        lohi[2 * i + 1] = rows->hi[i];
    }
    start = code_seconds();
    dxSolveLCP(arena, n, rows->A, bx.data(), w.data(), rows->unbounded ? n : 0u,
               lohi.data(), rows->findex);
    answer->seconds = code_seconds() - start;
    for (size_t i = 0; i < rows->n; i++) {
        rows->x[i] = bx[2 * i + 1];
    }
    dxFreeTemporaryWorldProcessMemArena(arena);
    return CODE_ANSWERED;
}
} // namespace

void code_version(char *text, size_t length)
{
    snprintf(text, length, "ODE %s", dODE_VERSION);
}

code_end code_solve(const code_task *task, code_answer *answer)
{
    boxed_rows rows;
    code_end end = boxed_new(&rows, task, task->p->n > 1 ? 4 : 1, answer);

    if (end == CODE_ANSWERED && rows.n > 0) {
        dSetMessageHandler(ode_message);
        end = ode_solve(&rows, answer);
    }
    if (end == CODE_ANSWERED) {
        boxed_point(&rows, answer->z);
        answer->claim = complained ? "failed" : "solved";
        snprintf(answer->message, sizeof answer->message, "%s",
                 complained ? "LCP internal error: a step that is not positive" : "");
    }
    boxed_free(&rows);
    return end;
}
