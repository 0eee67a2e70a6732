# SPDX-License-Identifier: Apache-2.0
test_files += \
    %D%/blas.c \
    %D%/bounces.c \
    %D%/free_motion.c \
    %D%/gyro.c \
    %D%/gyro_study.c \
    %D%/held.c \
    %D%/ledger.c \
    %D%/orders.c \
    %D%/outside.c \
    %D%/outside_shape.c \
    %D%/reach.c \
    %D%/restitution.c \
    %D%/resume.c \
    %D%/stability.c \
    %D%/stabilize.c \
    %D%/stack.c \
    %D%/starts.c \
    %D%/step.c \
    %D%/step_formulate.c \
    %D%/stepper.c \
    %D%/sweeps.c
if COMMAND
test_files += \
    %D%/integrators.c \
    %D%/linkages.c \
    %D%/spin.c
endif
