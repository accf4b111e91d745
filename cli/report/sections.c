/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sections of the report in order, each with its analysis. A new section is a
   new row. */
#include <stddef.h>

#include "cli/report/report.h"

#define T  GASPDB_REPORT_TEXT
#define P  GASPDB_REPORT_PLACE
#define N  GASPDB_REPORT_NUMBER
#define C  GASPDB_REPORT_COUNT
#define NS GASPDB_REPORT_TIME
#define B  GASPDB_REPORT_SIZE
#define S  GASPDB_REPORT_SHARE
#define R  GASPDB_REPORT_REAL
#define F  GASPDB_REPORT_FLAG

/* clang-format off */
#define COLUMNS(...) \
	(const struct gaspdb_report_column[]) { __VA_ARGS__, { NULL, NULL, T } }

const struct gaspdb_report_section gaspdb_report_sections[] = {
{ .name = "summary", .title = "Summary", .analysis = "worst",
	.print = gaspdb_report_summary },
{ .title = "Where it hangs", .analysis = "hangs", .also = "open-calls",
	.rows = 6, .print = gaspdb_report_hangs },
{ .title = "What is worst", .analysis = "worst", .also = "waits", .rows = 6,
	.print = gaspdb_report_worst, .remark = gaspdb_report_unseen_waits,
	.unseen = GASPDB_UNSEEN_CALLS | GASPDB_UNSEEN_OWNERS },
{ .name = "run", .title = "The run", .analysis = "threads",
	.print = gaspdb_report_run },
{ .title = "Time inside calls", .analysis = "call-times", .least = 0.1,
	.rows = 10, .of_profile = true, .remark = gaspdb_report_inside,
	.columns = COLUMNS(
	{ "operation", "operation", T }, { "location", "line", P },
	{ "calls", "calls", C }, { "time_ns", "time", NS },
	{ "share", "share", S }, { "mean_ns", "mean", NS },
	{ "most_ns", "most", NS }, { "most_thread", "{thread}", N },
	{ "least_ns", "least", NS }, { "least_thread", "{thread}", N }) },
{ .title = "Critical path", .analysis = "critical-path", .least = 0.1,
	.rows = 6, .row_remark = gaspdb_report_path,
	.unseen = GASPDB_UNSEEN_CALLS, .columns = COLUMNS(
	{ "what", "on the path", P }, { "time_ns", "time", NS },
	{ "share", "of the run", S }, { "mean_ns", "mean", NS },
	{ "imbalance_ns", "imbalance", NS }) },
{ .title = "{Threads}", .analysis = "threads", .rows = 8,
	.print = gaspdb_report_threads, .columns = COLUMNS(
	{ "thread", "{thread}", N }, { "rank", "{process}", N },
	{ "model", "model", T }, { "host", "host", T },
	{ "first_ns", "begins", NS }, { "total_ns", "time", NS },
	{ "computation_ns", "computing", NS }, { "waiting_ns", "waiting", NS },
	{ "events", "events", C }, { "whole", "log complete", F },
	{ "why", "why it is here", P }) },
{ .title = "Calls open at the end", .analysis = "open-calls", .rows = 8,
	.remark = gaspdb_report_open, .columns = COLUMNS(
	{ "operation", "operation", T }, { "location", "line", P },
	{ "threads", "{threads}", C }, { "thread", "first", N },
	{ "first_ns", "came at", NS }, { "last_ns", "last at", NS }) },
{ .title = "Time by category", .analysis = "categories",
	.print = gaspdb_report_categories, .unseen = GASPDB_UNSEEN_CALLS,
	.columns = COLUMNS(
	{ "category", "category", T }, { "time", "all {threads}", NS },
	{ "share", "share", S }, { "least", "least", NS },
	{ "least_thread", "{thread}", N }, { "mean", "mean", NS },
	{ "most", "most", NS }, { "most_thread", "{thread}", N }) },
{ .title = "Efficiencies (POP)", .analysis = "pop", .also = "efficiency", .rows = 5,
	.remark = gaspdb_report_efficiency, .unseen = GASPDB_UNSEEN_CALLS,
	.columns = COLUMNS(
	{ "efficiency", "efficiency", T }, { "percent", "is", S },
	{ "part_ns", "part", NS }, { "of_ns", "of", NS },
	{ "meaning", "meaning", T }) },
{ .title = "Efficiencies of functions, loops and user events",
	.analysis = "efficiency", .rows = 6, .unseen = GASPDB_UNSEEN_CALLS,
	.columns = COLUMNS(
	{ "what", "what", T }, { "location", "line", P },
	{ "time_ns", "longest", NS }, { "parallel", "parallel", S },
	{ "load_balance", "balance", S }, { "communication", "communication", S },
	{ "most_thread", "most by", N }, { "threads", "{threads}", C }) },
{ .title = "Hot operations", .analysis = "operations", .also = "profile",
	.least = 0.1, .rows = 10, .columns = COLUMNS(
	{ "operation", "operation", T }, { "category", "category", T },
	{ "calls", "calls", C }, { "self_ns", "time", NS },
	{ "share", "share", S }, { "waiting_ns", "waiting", NS },
	{ "bytes", "data", B }) },
{ .title = "Hot lines", .analysis = "hot-lines", .also = "profile", .least = 0.1, .rows = 10,
	.columns = COLUMNS(
	{ "location", "line", P }, { "function", "function", T },
	{ "operations", "operation", T }, { "self_ns", "time", NS },
	{ "share", "share", S }, { "waiting_ns", "waiting", NS },
	{ "max_ns", "most", NS }, { "max_thread", "{thread}", N }) },
{ .title = "Mostly the cost of recording", .analysis = "overhead-lines",
	.also = "overhead", .params = GASPDB_REPORT_OVERHEAD, .rows = 6,
	.remark = gaspdb_report_overhead_advice, .columns = COLUMNS(
	{ "location", "line", P }, { "operation", "operation", T },
	{ "calls", "calls", C }, { "self_ns", "time", NS },
	{ "of_run", "of the run", S }, { "inside_ns", "recording", NS },
	{ "share", "share", S }) },
{ .name = "user-events", .title = "User events", .analysis = "profile", .params = "type=user",
	.rows = 6, .columns = COLUMNS(
	{ "operation", "event", T }, { "location", "line", P },
	{ "threads", "{threads}", C }, { "calls", "times", C },
	{ "total_ns", "time", NS }, { "mean_ns", "mean", NS },
	{ "min_ns", "shortest", NS }, { "max_ns", "longest", NS }) },
{ .title = "User event values", .analysis = "user-values", .rows = 12,
	.columns = COLUMNS(
	{ "event", "event", T }, { "argument", "argument", T },
	{ "label", "label", T }, { "at", "at", T }, { "threads", "{threads}", C },
	{ "count", "values", C }, { "mean", "mean", R }, { "minimum", "least", R },
	{ "maximum", "most", R }, { "deviation", "deviation", R }) },
{ .title = "Entities", .analysis = "entities", .rows = 10,
	.columns = COLUMNS(
	{ "entity", "entity", T }, { "kind", "kind", T },
	{ "within", "within", T }, { "threads", "{threads}", C },
	{ "calls", "calls", C }, { "self_ns", "time", NS },
	{ "share", "share", S }, { "total_ns", "with those below", NS },
	{ "wait_ns", "waiting", NS }, { "longest_ns", "most", NS },
	{ "longest_thread", "{thread}", N }) },
{ .title = "Entities by attribute", .analysis = "entity-attributes",
	.rows = 10, .columns = COLUMNS(
	{ "key", "attribute", T }, { "value", "value", T },
	{ "entities", "entities", C }, { "calls", "calls", C },
	{ "self_ns", "time", NS }, { "share", "share", S },
	{ "wait_ns", "waiting", NS }, { "bytes", "moved", B }) },
{ .title = "Work handed over", .analysis = "work-queue", .rows = 8,
	.columns = COLUMNS(
	{ "entity", "entity", T }, { "made", "made", C },
	{ "runs", "runs", C }, { "waiting", "never run", C },
	{ "run_ns", "time", NS }, { "mean_run_ns", "mean", NS },
	{ "queued_ns", "queued", NS }, { "mean_queued_ns", "mean", NS },
	{ "longest_queued_ns", "longest", NS }) },
{ .title = "Load imbalance", .analysis = "load-imbalance", .params = "by=work",
	.rows = 6, .remark = gaspdb_report_imbalance,
	.unseen = GASPDB_UNSEEN_CALLS, .columns = COLUMNS(
	{ "what", "what, and where", P }, { "imbalance_pct", "imbalance", S },
	{ "average", "mean", NS }, { "maximum", "most", NS },
	{ "max_thread", "{thread}", N }, { "minimum", "least", NS },
	{ "min_thread", "{thread}", N }) },
{ .title = "Blocking gets, puts and atomics", .analysis = "get-put",
	.also = "get-put-pairs", .least = 0.1, .rows = 8,
	.unseen = GASPDB_UNSEEN_OWNERS, .columns = COLUMNS(
	{ "operation", "operation", T }, { "location", "line", P },
	{ "affinity", "to", T }, { "calls", "calls", C },
	{ "total_ns", "time", NS }, { "share", "share", S },
	{ "median_ns", "median", NS }, { "p95_ns", "95 %", NS },
	{ "mean_bytes", "mean", B }) },
{ .title = "Small remote accesses", .analysis = "fine-grained", .rows = 6,
	.columns = COLUMNS(
	{ "operation", "operation", T }, { "location", "line", P },
	{ "pattern", "pattern", T }, { "accesses", "accesses", C },
	{ "mean_bytes", "mean", B }, { "time_ns", "time", NS },
	{ "saving_ns", "could save", NS }, { "thread", "{thread}", N }) },
{ .title = "Locks", .analysis = "lock-contention", .also = "lock-holders",
	.rows = 6, .columns = COLUMNS(
	{ "lock", "lock", T }, { "location", "taken at", P },
	{ "acquisitions", "times", C }, { "contended", "waited", S },
	{ "wait_ns", "waiting", NS }, { "longest_wait_ns", "longest", NS },
	{ "hold_ns", "held", NS }, { "longest_holder", "most by", N },
	{ "holder_share", "share", S }) },
{ .title = "Barriers", .analysis = "barrier-wait", .also = "collectives",
	.least = 0.1, .rows = 6, .remark = gaspdb_report_late, .columns = COLUMNS(
	{ "operation", "barrier", T }, { "location", "line", P },
	{ "team", "team", T }, { "instances", "times", C },
	{ "wait_ns", "waiting", NS }, { "longest_ns", "worst", NS },
	{ "operation_ns", "itself", NS }, { "late_thread", "late", N },
	{ "late_share", "share", S }) },
{ .title = "Collective operations", .analysis = "collectives",
	.skip = "type=barrier|notify|barrier_wait", .rows = 6, .remark = gaspdb_report_late, .columns = COLUMNS(
	{ "operation", "operation", T }, { "location", "line", P },
	{ "team", "team", T }, { "instances", "times", C },
	{ "wait_ns", "waiting", NS }, { "longest_ns", "worst", NS },
	{ "operation_ns", "itself", NS }, { "late_thread", "late", N },
	{ "late_share", "share", S }) },
{ .title = "Files", .analysis = "io", .rows = 8, .columns = COLUMNS(
	{ "file", "file", P }, { "operation", "operation", T },
	{ "location", "line", P }, { "calls", "calls", C },
	{ "time_ns", "time", NS },
	{ "waiting_ns", "waiting", NS }, { "read_bytes", "read", B },
	{ "written_bytes", "written", B }) },
{ .title = "Messages", .analysis = "messages",
	.also = "message-sizes, matching", .rows = 8,
	.remark = gaspdb_report_coverage, .columns = COLUMNS(
	{ "send_location", "sent at", P }, { "receive_location", "received at", P },
	{ "messages", "messages", C }, { "pairs", "pairs", C },
	{ "bytes", "data", B },
	{ "late_sender_ns", "late sender", NS },
	{ "late_receiver_ns", "late receiver", NS }) },
{ .title = "Unmatched messages", .analysis = "unmatched", .rows = 5,
	.remark = gaspdb_report_coverage, .columns = COLUMNS(
	{ "kind", "kind", T }, { "thread", "{thread}", N },
	{ "operation", "operation", T }, { "location", "line", P },
	{ "start_ns", "at", NS }, { "bytes", "data", B },
	{ "peer", "other end", N }, { "tag", "tag", N }) },
{ .title = "Traffic between {processes}", .analysis = "comm-matrix",
	.also = "message-sizes", .remark = gaspdb_report_axes, .rows = 10, .print = gaspdb_report_traffic,
	.columns = COLUMNS(
	{ "initiator", "from", N }, { "owner", "to", N },
	{ "operations", "operations", C }, { "bytes", "data", B },
	{ "mean_bytes", "mean", B }, { "time_ns", "time", NS }) },
{ .title = "Memory never freed", .analysis = "leaks", .also = "memory",
	.rows = 4, .row_remark = gaspdb_report_leak, .columns = COLUMNS(
	{ "what", "what", T }, { "location", "line", P },
	{ "operation", "operation", T }, { "blocks", "blocks", C },
	{ "of_blocks", "of", C }, { "bytes", "data", B },
	{ "threads", "{threads}", C }) },
{ .title = "Quality of the data", .analysis = "quality", .rows = 20,
	.print = gaspdb_report_quality },
{ .title = NULL },
};
/* clang-format on */
