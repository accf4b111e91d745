/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The hosts of a UPC program and their leaders.  Each thread writes a number
 * for its host's name into a word of its own, before a barrier.  After it
 * thread 0 reads them all. The first thread of each host is its leader; a word
 * of each thread then has its role.
 */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collector/base/pages.h"
#include "collector/core/clocks/sampler.h"
#include "collector/gasp/clocks.h"
#include "collector/gasp/upcalls.h"
#include "collector/include/gaspdb_upc.h"

#pragma weak gaspdb_upc_word
#pragma weak gaspdb_upc_set_word
#pragma weak gaspdb_upc_has_shared

/* Lowest bits of a host's word */
#define IS_HERE	 UINT64_C(1)
#define CAN_LEAD UINT64_C(2)

/* Roles */
#define LEADS_NONE UINT64_C(1)
#define FIRST_ROLE UINT64_C(2)

bool gaspdb_upc_has_words(void)
{
	struct gaspdb_context *c;
	bool has_shared;

	if (!gaspdb_upc_word || !gaspdb_upc_set_word || !gaspdb_upc_has_shared)
		return false;
	c = gaspdb_upcall_begin(gaspdb_current);
	has_shared = gaspdb_upc_has_shared();
	gaspdb_upcall_end(c);
	return has_shared;
}

static uint64_t hash_of(const char *text)
{
	uint64_t hash = 0;

	for (; *text; text++)
		hash = gaspdb_mix(hash, (unsigned char)*text + 1u);
	return gaspdb_mix(hash, 0);
}

void gaspdb_upc_say_host(int thread, bool can_lead)
{
	const int error = errno;
	char name[256] = "";

	if (gethostname(name, sizeof name - 1))
		can_lead = false;
	gaspdb_upc_put(thread, GASPDB_WORD_HOST,
		       (hash_of(name) & ~(IS_HERE | CAN_LEAD)) | IS_HERE |
			       (can_lead ? CAN_LEAD : 0));
	errno = error;
}

/* --- thread 0 ------------------------------------------------------------- */

/* A leader that is chosen. */
struct choice {
	uint64_t host;
	int thread;
};

static bool is_known(const struct choice *of, int n, uint64_t host)
{
	/* Neighbours are mostly on one host. */
	while (n-- > 0)
		if (of[n].host == host)
			return true;
	return false;
}

/* The first thread of each host that can lead, and in roles[] that of each
   thread, 0: it takes no part.  Returns the number of leaders. */
static int choose(struct choice *of, uint64_t *roles, int threads)
{
	int n = 0;

	for (int i = 0; i < threads; i++) {
		const uint64_t host = gaspdb_upc_get(i, GASPDB_WORD_HOST);

		roles[i] = host & IS_HERE ? LEADS_NONE : 0;
		if (!(host & CAN_LEAD) || is_known(of, n, host))
			continue;
		of[n] = (struct choice){ host, i };
		roles[i] = FIRST_ROLE + (uint64_t)n++;
	}
	return n;
}

/* Writes the leaders, and then each thread's role: on one host, none. */
static void tell(const struct choice *of, int n, const uint64_t *roles,
		 int threads)
{
	const bool is_one = n < 2 || n > gaspdb_upc_leaders_max;

	for (int i = 0; !is_one && i < n; i++)
		gaspdb_upc_put(i, GASPDB_WORD_LEADER, (uint64_t)of[i].thread);
	if (!is_one)
		gaspdb_upc_put(0, GASPDB_WORD_LEADERS, (uint64_t)n);
	for (int i = 0; i < threads; i++)
		if (roles[i])
			gaspdb_upc_put(i, GASPDB_WORD_ROLE,
				       is_one ? LEADS_NONE : roles[i]);
}

static const char *choose_leaders(int threads)
{
	const size_t n = (size_t)threads;
	const size_t bytes = n * (sizeof(struct choice) + sizeof(uint64_t));
	struct choice *of = gaspdb_pages(bytes);
	uint64_t *roles;

	if (!of)
		return "no memory";
	roles = (uint64_t *)(of + n);
	tell(of, choose(of, roles, threads), roles, threads);
	munmap(of, bytes);
	return NULL;
}

/* --- all threads ---------------------------------------------------------- */

/* Waits for thread 0's choice; 0: there is none. */
static uint64_t await_role(int thread)
{
	const int64_t deadline = gaspdb_leaders_deadline(GASPDB_SAMPLE_SECONDS);
	unsigned tests = 0;
	uint64_t role;

	do
		role = gaspdb_upc_get(thread, GASPDB_WORD_ROLE);
	while (!role && gaspdb_leaders_may_wait(&tests, deadline));
	return role;
}

/* Reads the leaders' threads, which stay. */
static bool read_leaders(struct gaspdb_leaders *l, uint64_t role)
{
	const uint64_t n = gaspdb_upc_get(0, GASPDB_WORD_LEADERS);
	int *ranks = gaspdb_pages((size_t)n * sizeof *ranks);

	if (!ranks)
		return false;
	for (int i = 0; i < (int)n; i++)
		ranks[i] = (int)gaspdb_upc_get(i, GASPDB_WORD_LEADER);
	*l = (struct gaspdb_leaders){ .me = (int)(role - FIRST_ROLE),
				      .n = (int)n,
				      .ranks = ranks,
				      .by = &gaspdb_upc_transport };
	return true;
}

const char *gaspdb_upc_find_leaders(struct gaspdb_leaders *l, int thread,
				    int threads, bool *is_leader)
{
	const char *why = NULL;
	uint64_t role;

	*is_leader = false;
	if (thread && !(gaspdb_upc_get(0, GASPDB_WORD_HOST) & IS_HERE))
		return NULL; /* thread 0 does not sample */
	if (!thread)
		why = choose_leaders(threads);
	if (why)
		return why;
	role = await_role(thread);
	if (!role)
		return "thread 0 does not answer";
	if (role >= FIRST_ROLE && !read_leaders(l, role))
		return "no memory";
	*is_leader = role >= FIRST_ROLE;
	return NULL;
}
