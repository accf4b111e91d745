/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The encoder of the logs of util_log.h, for its parts: bytes, numbers, texts,
 * and the frame of an OTHER record (docs/log-format.md).
 */
#ifndef GASPDB_TESTS_UNIT_UTIL_LOG_PARTS_H
#define GASPDB_TESTS_UNIT_UTIL_LOG_PARTS_H

#include "tests/unit/util_log.h"

/* A number of n bytes, the lowest first. */
void log_put_number(struct log *l, uint64_t v, unsigned n);
/* Numbers of codes u and i, of variable length. */
void log_put_u(struct log *l, uint64_t v);
void log_put_i(struct log *l, int64_t v);
/* A text: its length, then its bytes. */
void log_put_s(struct log *l, const char *s);

/* The ticks at a time in ns. */
uint64_t log_ticks(const struct log *l, uint64_t t);

/* An OTHER record: its payload is put between these.  Returns where the payload
   begins. */
size_t log_begin_record(struct log *l, unsigned kind);
void log_end_record(struct log *l, size_t payload);

#endif
