/* SPDX-License-Identifier: BSD-2-Clause */
/* META records: facts about a context, its process and its end. */
#include "collector/core/context.h"
#include "collector/core/emit.h"
#include "collector/core/heap/heap.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "collector/base/clock.h"
#include "collector/base/environment.h"
#include "collector/core/selection/mask.h"
#include "collector/process/module_file.h"
#include "collector/process/process.h"
#include "collector/process/worlds.h"

void gaspdb_context_emit(struct gaspdb_context *c, const char *key,
			 const char *value)
{
	gaspdb_emit_definition(c, GASPDB_RECORD_META, "ss", key, value);
}

static void emit_number(struct gaspdb_context *c, const char *key, int64_t v)
{
	char text[32];

	snprintf(text, sizeof text, "%lld", (long long)v);
	gaspdb_context_emit(c, key, text);
}

/* The program's arguments from /proc, separated by NUL. */
static void emit_arguments(struct gaspdb_context *c)
{
	char text[GASPDB_TEXT_MAX];
	struct gaspdb_bytes arguments = { text, 0 };
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return;
	n = read(fd, text, sizeof text);
	close(fd);
	arguments.n = n > 0 ? (size_t)n : 0;
	gaspdb_emit_definition(c, GASPDB_RECORD_META, "sb", "arguments",
			       &arguments);
}

static void emit_program(struct gaspdb_context *c)
{
	char path[GASPDB_TEXT_MAX];

	if (gaspdb_program_path(path, sizeof path))
		gaspdb_context_emit(c, "program", path);
}

static void emit_directory(struct gaspdb_context *c)
{
	char path[GASPDB_TEXT_MAX];
	ssize_t n = readlink("/proc/self/cwd", path, sizeof path - 1);

	if (n <= 0)
		return;
	path[n] = 0;
	gaspdb_context_emit(c, "directory", path);
}

static void emit_clock(struct gaspdb_context *c)
{
	struct gaspdb_clock_sample s = gaspdb_clock_sample();

	gaspdb_emit_other(c, GASPDB_RECORD_CLOCK, "uuuu", s.ticks,
			  (uint64_t)s.monotonic_ns, (uint64_t)s.realtime_ns,
			  (uint64_t)s.uncertainty_ns);
}

static void emit_processors(struct gaspdb_context *c)
{
	char list[200];

	emit_number(c, "user_cpus", gaspdb_processors_online());
	emit_number(c, "cpus_allowed", gaspdb_processors_allowed());
	gaspdb_processors_list(list, sizeof list);
	if (*list)
		gaspdb_context_emit(c, "cpus_allowed_list", list);
}

/* Only a number, whatever the variable holds. */
static void emit_launcher_rank(struct gaspdb_context *c)
{
	const char *text = gaspdb_run_dir_launcher_rank();
	char *end;
	unsigned long rank = text ? strtoul(text, &end, 10) : 0;

	if (text && *text >= '0' && *text <= '9' && !*end && rank <= INT32_MAX)
		emit_number(c, "launcher_rank", (int64_t)rank);
}

/* The process and the number of the program in it. */
static void emit_origin(struct gaspdb_context *c)
{
	const struct gaspdb_process *p = &gaspdb_process;

	emit_number(c, "process_start",
		    (int64_t)gaspdb_run_dir_start_time(p->pid));
	if (p->program)
		emit_number(c, "program_number", p->program);
	if (p->forked_from)
		emit_number(c, "forked_from", p->forked_from);
	if (gaspdb_world_is_spawned())
		emit_number(c, "spawned", 1);
	emit_launcher_rank(c);
}

void gaspdb_context_emit_cost(struct gaspdb_context *c, enum gaspdb_path path)
{
	const int saved = errno;
	double cost;
	char text[32];

	/* Not during a write: an interrupting event is lost anyway. */
	if (c->busy || !c->live)
		return;
	cost = gaspdb_event_cost(path);
	if (!gaspdb_begin(c))
		return;
	c->paths |= 1u << path;
	if (cost > c->event_cost) {
		c->event_cost = cost;
		snprintf(text, sizeof text, "%.1f", cost);
		gaspdb_context_emit(c, "event_cost_ticks", text);
	}
	gaspdb_done(c);
	errno = saved;
}

void gaspdb_context_emit_whose(struct gaspdb_context *c)
{
	const char *const facts[][2] = { { "job", c->whose.job },
					 { "rank", c->whose.rank },
					 { "ranks", c->whose.ranks } };

	if (!gaspdb_context_has_rank(c))
		return;
	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
		if (*facts[i][1])
			gaspdb_emit_other(c, GASPDB_RECORD_META, "ss",
					  facts[i][0], facts[i][1]);
}

void gaspdb_context_emit_rank(struct gaspdb_context *c, int rank, int ranks)
{
	if (ranks >= 0)
		snprintf(c->whose.ranks, sizeof c->whose.ranks, "%d", ranks);
	snprintf(c->whose.rank, sizeof c->whose.rank, "%d", rank);
	gaspdb_context_emit_whose(c);
}

/* What the user chose to record. */
static void emit_choice(struct gaspdb_context *c)
{
	static const char *const choices[][2] = {
		{ "sync_collectives", "GASPDB_SYNC_COLLECTIVES" },
		{ "filter", "GASPDB_FILTER" },
		{ "start", "GASPDB_START" },
		{ "phase", "GASPDB_PHASE" },
	};

	if (gaspdb_mode != GASPDB_MODE_TRACE)
		gaspdb_context_emit(c, "mode", gaspdb_mode_name());
	if (gaspdb_masks.only[0])
		gaspdb_context_emit(c, "only", gaspdb_masks.only);
	if (gaspdb_masks.except[0])
		gaspdb_context_emit(c, "except", gaspdb_masks.except);
	for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
		const char *value = gaspdb_getenv(choices[i][1]);

		if (value && *value)
			gaspdb_context_emit(c, choices[i][0], value);
	}
}

void gaspdb_context_emit_birth(struct gaspdb_context *c)
{
	snprintf(c->whose.job, sizeof c->whose.job, "%016llx",
		 (unsigned long long)gaspdb_process.dir.job);
	gaspdb_context_emit(c, "host", gaspdb_process.host);
	gaspdb_context_emit(c, "job", c->whose.job);
	emit_number(c, "thread", c->number);
	gaspdb_context_emit(c, "collector", GASPDB_VERSION);
	emit_number(c, "cpu", sched_getcpu());
	emit_processors(c);
	emit_program(c);
	emit_directory(c);
	emit_arguments(c);
	emit_origin(c);
	emit_choice(c);
	emit_clock(c);
}

/* What was left out while recording was off. */
static void emit_off(struct gaspdb_context *c)
{
	char text[GASPDB_PHASES_TEXT_MAX + 200];

	if (c->n_off)
		emit_number(c, "events_off", (int64_t)c->n_off);
	if (c->was_on || (!gaspdb_windows.start_off && !gaspdb_has_phases()))
		return;
	gaspdb_windows_explain(text, sizeof text);
	gaspdb_context_emit(c, "not_seen", text);
}

void gaspdb_context_emit_end(struct gaspdb_context *c, const char *why)
{
	if (c->lost_interrupted)
		gaspdb_emit_other(c, GASPDB_RECORD_LOST, "us",
				  (uint64_t)c->lost_interrupted,
				  "raised while another was being written, or "
				  "cut short");
	if (c->lost_memory)
		gaspdb_emit_other(c, GASPDB_RECORD_LOST, "us",
				  (uint64_t)c->lost_memory,
				  "no memory for the collector's tables");
	if (c->n_unknown) {
		emit_number(c, "unknown_tags", c->n_unknown);
		emit_number(c, "first_unknown_tag", c->first_unknown);
	}
	if (gaspdb_process.segments_left_out)
		emit_number(c, "segments_left_out",
			    gaspdb_process.segments_left_out);
	/* Functions or memory of a program that started no runtime. */
	if ((c->functions.frames || gaspdb_heap_is_logged()) && !c->model &&
	    !gaspdb_process.model[0])
		gaspdb_context_emit(c, "model", "C");
	emit_off(c);
	gaspdb_processor_emit_end(c);
	emit_clock(c);
	gaspdb_context_emit(c, "end", why);
}

bool gaspdb_context_is_behind(const struct gaspdb_context *c)
{
	return c->generation != atomic_load_explicit(&gaspdb_process.generation,
						     memory_order_relaxed);
}

static void emit_segments(struct gaspdb_context *c)
{
	const struct gaspdb_process *p = &gaspdb_process;

	for (; c->n_segments < p->n_segments; c->n_segments++) {
		const struct gaspdb_segment_info *s =
			&p->segments[c->n_segments];

		gaspdb_emit_definition(c, GASPDB_RECORD_SEGMENT, "uuuss",
				       (uint64_t)c->n_segments + 1,
				       (uint64_t)s->base, s->bytes, s->kind,
				       s->name);
	}
}

void gaspdb_context_catch_up(struct gaspdb_context *c)
{
	const struct gaspdb_process *p = &gaspdb_process;
	const unsigned generation = atomic_load(&p->generation);
	const bool again = gaspdb_is_unloading();
	bool first;

	gaspdb_modules_catch_up(c);
	/* In this order: the lock's holder may wait for a busy writer. */
	gaspdb_process_lock();
	if (!gaspdb_begin(c)) {
		gaspdb_process_unlock();
		return;
	}
	first = !gaspdb_context_has_rank(c) && p->rank >= 0;
	c->generation = generation - again;
	if (first) {
		gaspdb_context_emit(c, "model", p->model);
		gaspdb_context_emit(c, "runtime", p->runtime);
		gaspdb_context_emit_rank(c, p->rank, p->ranks);
	}
	emit_segments(c);
	gaspdb_done(c);
	gaspdb_process_unlock();
}

GASPDB_EXPORT void gaspdb_meta(const char *key, const char *value)
{
	struct gaspdb_context *c = gaspdb_context_get();

	if (c && gaspdb_begin(c)) {
		gaspdb_context_emit(c, key, value);
		gaspdb_done(c);
	}
}

GASPDB_EXPORT void gaspdb_metaf(const char *key, const char *fmt, ...)
{
	char text[GASPDB_TEXT_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	gaspdb_meta(key, text);
}
