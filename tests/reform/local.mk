# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += \
    %D%/bounds \
    %D%/directions \
    %D%/factored \
    %D%/free \
    %D%/global \
    %D%/scale

EXTRA_DIST += %D%/helpers.h
