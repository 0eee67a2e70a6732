/* SPDX-License-Identifier: Apache-2.0
 * verbs/slurm.c: perp compare --print-slurm: a campaign as an array job of SLURM, for clusters on
 * which mpiexec is no choice. */
#include <config.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/text.h"
#include "command/campaign/pinning.h"
#include "command/cli/data.h"
#include "command/cli/take.h"
#include "command/verbs/slurm.h"

/* What the tasks need. */
typedef struct slurm_needs {
    size_t tasks, processors;
    double megabytes;
    double seconds; /* of the longest part, when each run takes its limit once */
} slurm_needs;

/* A word for the shell, in single quotes where it needs them. */
static void slurm_word(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_./:=,+@%-";

    if (*word && word[strspn(word, plain)] == '\0') {
        fputs(word, stdout);
        return;
    }
    putchar('\'');
    for (; *word; word++) {
        fputs(*word == '\'' ? "'\\''" : (char[]){*word, '\0'}, stdout);
    }
    putchar('\'');
}

/* The parts, and what the largest of them needs. */
static perp_status slurm_count(const suite *s, double tasks, slurm_needs *needs,
                               perp_error *err)
{
    suite_run *runs = NULL;
    size_t count = 0, subjects = 0;
    double *seconds = NULL;
    perp_status status = suite_plan(s, &runs, &count, err);

    for (size_t k = 0; k < count; k++) {
        subjects += k == 0 || runs[k].entry != runs[k - 1].entry;
    }
    *needs = (slurm_needs){.tasks = (size_t)tasks};
    needs->tasks = needs->tasks < subjects ? needs->tasks : subjects;
    seconds = take(needs->tasks + 1, sizeof *seconds);
    subjects = 0;
    for (size_t k = 0; k < count && status == PERP_OK; k++) {
        const suite_limits *limits = &runs[k].set->rules.limits;
        size_t part = 0;

        subjects += k == 0 || runs[k].entry != runs[k - 1].entry;
        part = (subjects - 1) % needs->tasks;
        seconds[part] += limits->seconds;
        needs->seconds = fmax(needs->seconds, seconds[part]);
        needs->megabytes = fmax(needs->megabytes, limits->megabytes);
    }
    if (status == PERP_OK) {
        needs->processors = pinning_each(runs, count);
    }
    free(seconds);
    free(runs);
    return status;
}

/* The name of the job: letters, digits and ._-; a newline would end the comment and start a
 * command. */
static void slurm_name(const char *name)
{
    for (; *name; name++) {
        putchar(isalnum((unsigned char)*name) || strchr("._-", *name) ? *name : '-');
    }
}

/* A word in a comment: without newlines, for the same reason. */
static void slurm_comment(const char *word)
{
    char *shown = take_made(perp_text_shown_new(word));

    slurm_word(shown);
    free(shown);
}

static void slurm_header(const suite *s, const slurm_needs *needs)
{
    double minutes = ceil(needs->seconds / 60.0) + 5.0;

    printf("#!/bin/sh\n#SBATCH --job-name=perp-");
    slurm_name(s->name);
    printf("\n#SBATCH --array=1-%zu\n#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=%zu\n",
           needs->tasks, needs->processors);
    if (needs->megabytes < 1e6) {
        printf("#SBATCH --mem=%.0fM\n", ceil(needs->megabytes) + 1024.0);
    }
    printf("#SBATCH --time=%.0f\n#SBATCH --signal=B:USR1@60\n", minutes);
    printf(
        "# --mem: the limit of a run and 1 GB for perp. --time: minutes, if each run of "
        "the longest\n"
        "# part takes its limit once; less will do as a rule. A minute before it ends, "
        "no further run\n"
        "# is started; submit the script again for the rest.\n");
}

/* The options that every task has: all that were given, but those that the script sets. */
static void slurm_options(const cli_args *args)
{
    static const char *const own[] = {"output", "jobs",        "resume",
                                      "part",   "print-slurm", "no-report"};

    for (const cli_option *o = args->verb->options; o->name; o++) {
        const char *value = NULL;
        size_t at = 0;
        bool shown = cli_args_given(args, o->name);

        for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
            shown = shown && strcmp(o->name, own[i]) != 0;
        }
        if (shown && !o->value) {
            printf(" --%s", o->name);
        }
        while (shown && o->value && (value = cli_args_next(args, o->name, &at)) != NULL) {
            printf(" --%s ", o->name);
            slurm_word(value);
        }
    }
}

/* The command of a task, and the one that joins their folders. */
static void slurm_commands(const cli_args *args, const char *dir, size_t tasks)
{
    char self[DATA_PATH];

    data_executable(self);
    printf("exec ");
    slurm_word(self);
    printf(" compare ");
    slurm_word(args->word[0]);
    slurm_options(args);
    printf(" -o ");
    slurm_word(dir);
    printf(
        "-\"$SLURM_ARRAY_TASK_ID\" \\\n    --part \"$SLURM_ARRAY_TASK_ID/%zu\" --resume "
        "--no-report\n# When all tasks have ended:\n#     ",
        tasks);
    slurm_comment(self);
    printf(" compare --merge ");
    slurm_comment(dir);
    printf("-* -o ");
    slurm_comment(dir);
    printf("\n");
}

perp_status slurm_print(const cli_args *args, const suite *s, const char *dir,
                        perp_error *err)
{
    double tasks = 16.0;
    slurm_needs needs;

    TRY(cli_args_whole(args, "jobs", tasks, 1, 10000, &tasks, err));
    TRY(slurm_count(s, tasks, &needs, err));
    slurm_header(s, &needs);
    slurm_commands(args, dir, needs.tasks);
    return PERP_OK;
}
