/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts of failures. */
#include "collector/log/failure.h"

#include <string.h>

static const char *system_text(int error)
{
#if defined __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 32)
	const char *text = strerrordesc_np(error);

	return text ? text : "unknown error";
#define HAS_TEXT
#endif
#endif
#ifndef HAS_TEXT
	return strerror(error);
#endif
}

const char *gaspdb_failure(int error)
{
	switch (error) {
	case GASPDB_LOG_LIMIT:
		return "the size limit is reached";
	case GASPDB_LOG_REPLACED:
		return "another file has taken its place";
	case GASPDB_DIR_FOREIGN:
		return "it belongs to another user";
	case GASPDB_DIR_REPLACED:
		return "another directory, or a symbolic link, has its place";
	default:
		return system_text(error);
	}
}
