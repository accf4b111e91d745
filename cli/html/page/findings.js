/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Findings: rows of the report's section worst, with their instances: waits (or the longest of each line and thread, where
 * the page has not all calls), the longest first.
 */

let findings = [];

/* Waits with what a finding says: {id, thread_id, event_id, kind, start_ns, end_ns, cause_thread_id, cause_event_id,
   cause_ns, source_id, cause_source_id}. */
let longestWaits = [];

function spotOf(sourceId) {
	const source = run.sources.get(sourceId);
	return source ? source.spot : null;
}

/* Is it a place of the finding's text, "heat2d.c:21" or a phase "heat2d.c:21-25" with an operation? */
function isPlace(sourceId, operation, location) {
	const source = run.sources.get(sourceId);
	return Boolean(source) && source.operation === operation && (source.location === location || source.place_location === location);
}

function isInstance(finding, wait) {
	if (finding.kind === 'imbalance')
		return wait.cause_thread_id === finding.thread && isPlace(wait.source_id, finding.waiting_operation, finding.waiting_location);
	if (wait.kind !== finding.kind) return false;
	return wait.cause_source_id === null ? finding.thread === null && isPlace(wait.source_id, finding.operation, finding.location)
		: isPlace(wait.cause_source_id, finding.operation, finding.location);
}

async function loadFindings() {
	const waits = await loadChunk('longest_waits');
	longestWaits = waits.rows();
	findings = run.report.worst.rows.filter(f => f.number !== null);
	for (const finding of findings) finding.instances = groupInstances(longestWaits.filter(w => isInstance(finding, w)));
}

/* With all calls, all waits. */
function completeFindings() {
	const table = calls.waitTable, all = [];
	for (let w = 0; w < table.n; w++) {
		const wait = table.row(w), i = callById(wait.event_id), cause = callById(wait.cause_event_id);
		wait.thread_id = i < 0 ? null : run.threads[calls.thread[i]].id;
		wait.source_id = i < 0 ? null : calls.source[i];
		wait.cause_source_id = cause < 0 ? null : calls.source[cause];
		all.push(wait);
	}
	for (const finding of findings) {
		const known = new Set(all.map(w => w.id));
		finding.instances = groupInstances(all.concat(longestWaits.filter(w => !known.has(w.id))).filter(w => isInstance(finding, w)));
	}
	setState({findingsRead: {}});
}

/*
 * An instance: waits that the same act ended, {waits, cause_thread_id, cause_ns, start_ns, end_ns, ns (of the longest),
 * sum_ns}.
 */
function groupInstances(waits) {
	const byCause = new Map();
	for (const wait of waits) {
		const key = wait.cause_ns === null ? 'w' + wait.id : wait.cause_thread_id + ':' + wait.cause_ns;
		if (!byCause.has(key))
			byCause.set(key, {waits: [], cause_thread_id: wait.cause_thread_id, cause_ns: wait.cause_ns, start_ns: Infinity,
				end_ns: -Infinity, ns: 0, sum_ns: 0, worst: wait});
		const one = byCause.get(key), ns = wait.end_ns - wait.start_ns;
		one.waits.push(wait);
		one.start_ns = Math.min(one.start_ns, wait.start_ns);
		one.end_ns = Math.max(one.end_ns, wait.end_ns);
		one.sum_ns += ns;
		if (ns > one.ns) {
			one.ns = ns;
			one.worst = wait;
		}
	}
	return Array.from(byCause.values()).sort((a, b) => b.ns - a.ns || a.start_ns - b.start_ns);
}

function shownFinding() {
	return state.finding === null ? null : findings.find(f => f.number === state.finding) || null;
}

function shownInstance() {
	const finding = shownFinding();
	return finding && finding.instances[state.instance] || null;
}

/* Shows an instance of a finding: the time line at it, its longest wait clicked. */
function showFinding(number, instance) {
	const finding = findings.find(f => f.number === number);
	if (!finding) return;
	const one = finding.instances[instance];
	setState({finding: number, instance: one ? instance : 0, event: one ? one.worst.event_id : null,
		thread: one ? null : finding.thread});
	if (!one) return;
	const until = one.cause_ns === null ? one.end_ns : Math.max(one.end_ns, one.cause_ns);
	const width = Math.max(2.2 * (until - one.start_ns), 1000);
	showWindow((one.start_ns + until - width) / 2, (one.start_ns + until + width) / 2, true);
	document.getElementById('timeline').scrollIntoView({block: 'nearest'});
}

/* The next (step 1) or previous (-1) instance. */
function stepInstance(step) {
	const finding = shownFinding() || findings[0];
	if (!finding || !finding.instances.length) return;
	const n = finding.instances.length;
	showFinding(finding.number, state.finding === null ? 0 : (state.instance + step + n) % n);
}
