# SPDX-License-Identifier: GPL-3.0-or-later
# Sums of a run in which a deterministic program has no choice: counts and bytes, by names and lines instead of ids. For scripts that
# compare databases of the same program.
name="o.name || ' ' || coalesce(s.file, s.module, '') || ':' || coalesce(s.line, s.offset, '') || ' ' || coalesce(s.function, '')"
of_source="JOIN source s ON s.id = source_id JOIN operation o ON o.id = s.operation_id"

# each_sum COMMAND: COMMAND WHAT QUERY of each
each_sum() {
	"$1" "calls and bytes of each thread and line" \
		"SELECT thread_id, $name, nested, sum(calls), sum(bytes), sum(open) FROM profile $of_source GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"
	"$1" "calls and bytes of each call path" \
		"WITH RECURSIVE path(id, name) AS (
		   SELECT c.id, $name FROM callpath c $of_source WHERE parent_id IS NULL
		   UNION ALL SELECT c.id, p.name || ' > ' || $name FROM path p JOIN callpath c ON c.parent_id = p.id $of_source)
		 SELECT name, threads, calls, bytes FROM path JOIN callpath USING (id) ORDER BY 1"
	"$1" "traffic by thread, peer, line and size" \
		"SELECT thread_id, peer, $name, direction, from_bytes, operations, bytes FROM traffic $of_source ORDER BY 1, 2, 3, 4, 5"
	"$1" "traffic between processes" \
		"SELECT initiator, owner, direction, from_bytes, operations, bytes FROM traffic_total ORDER BY 1, 2, 3, 4"
	"$1" "messages, accesses and collectives by size" "SELECT * FROM size_total ORDER BY 1, 2, 3"
	"$1" "blocking accesses by line and owner" \
		"SELECT $name, direction, remote, calls, bytes FROM access_line $of_source ORDER BY 1, 2, 3"
	"$1" "blocking accesses by pair" \
		"SELECT thread_id, $name, direction, peer, calls, bytes FROM access_pair $of_source ORDER BY 1, 2, 3, 4"
	"$1" "functions and phases" "SELECT $name, threads, calls FROM region $of_source ORDER BY 1"
}
