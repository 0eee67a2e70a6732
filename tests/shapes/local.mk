# SPDX-License-Identifier: Apache-2.0
test_files += \
    %D%/compounds.c \
    %D%/shapes.c \
    %D%/supports.c
