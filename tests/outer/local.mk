# SPDX-License-Identifier: Apache-2.0
test_files += \
    %D%/ds.c \
    %D%/frozen.c \
    %D%/prox.c
