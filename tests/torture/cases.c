/* SPDX-License-Identifier: Apache-2.0
 * tests/torture/cases.c: cases in processes of their own. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"

enum { PATIENCE = 60 /* s */, LINES_MOST = 60 };

void *torture_shared(size_t size)
{
    void *at =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    return at == MAP_FAILED ? NULL : at;
}

void torture_cases_wrong(torture_cases *at, uint64_t seed, const char *what,
                         const char *fault)
{
    if (at->wrong++ < LINES_MOST) {
        printf("# seed %llu case %zu (%s): %s\n", (unsigned long long)seed, at->index,
               what, fault);
        fflush(stdout);
    }
}

void torture_cases_run(torture_cases *at, uint64_t seed, size_t end,
                       void (*run)(uint64_t seed, torture_cases *at))
{
    while (!at->done) {
        int status = 0;
        pid_t child = fork();

        if (child == 0) {
            for (; at->index < end; at->index++) {
                alarm(PATIENCE);
                run(seed, at);
            }
            at->done = true;
            exit(0); /* as sanitizers like it */
        }
        if (child < 0 || waitpid(child, &status, 0) < 0) {
            at->wrong++;
            return;
        }
        if (!at->done) {
            char text[48];

            snprintf(text, sizeof text, "signal %d, or exit %d",
                     WIFSIGNALED(status) ? WTERMSIG(status) : 0, WEXITSTATUS(status));
            torture_cases_wrong(at, seed, "ended", text);
            at->index++;
        }
    }
}
