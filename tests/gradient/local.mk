# SPDX-License-Identifier: Apache-2.0
check_PROGRAMS += \
    %D%/contacts \
    %D%/first_order \
    %D%/mpgp \
    %D%/project \
    %D%/spg_inline

EXTRA_DIST += %D%/helpers.h
