/* SPDX-License-Identifier: Apache-2.0
 * tests/faults/fence.c: FLINT without memory ends work, not the program. Speaks TAP. AddressSanitizer
 * ends a program without memory itself. */
#include <config.h>

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include <flint/fmpz.h>
#include <flint/fmpz_mat.h>

#include "interop/exact/fence.h"

/* The determinant of a matrix of *size rows, with entries of 3000 bits. */
static perp_status determinant(void *size, perp_error *err)
{
    int n = *(const int *)size;
    fmpz_mat_t A;
    fmpz_t d;
    flint_rand_t random;

    (void)err;
    fmpz_mat_init(A, n, n);
    fmpz_init(d);
    flint_randinit(random);
    fmpz_mat_randtest(A, random, 3000);
    if (n < 100) {
        fmpz_mat_det(d, A);
    }
    flint_randclear(random);
    fmpz_clear(d);
    fmpz_mat_clear(A);
    return PERP_OK;
}

static bool all = true;

static void check(bool good, int number, const char *sentence)
{
    all = all && good;
    printf("%sok %d - fence: %s\n", good ? "" : "not ", number, sentence);
}

#ifdef __SANITIZE_ADDRESS__
static const bool sanitized = true;
#else
static const bool sanitized = false;
#endif

int main(void)
{
    const struct rlimit most = {(rlim_t)256 << 20, (rlim_t)256 << 20};
    int small = 8, large = 2000; /* 1.5 GB */
    perp_error err = {0};
    perp_error again = {0};

    check(exact_fenced(determinant, &small, &err) == PERP_OK, 1, "work is done");
    if (sanitized || setrlimit(RLIMIT_AS, &most) != 0) {
        printf("1..1\n");
        return all ? 0 : 1;
    }
    check(exact_fenced(determinant, &large, &err) == PERP_ERR_MEMORY &&
              strstr(err.text, "memory"),
          2, "missing memory is a status");
    check(exact_fenced(determinant, &small, &again) == PERP_ERR_MEMORY, 3,
          "FLINT is not used again");
    printf("1..3\n");
    return all ? 0 : 1;
}
