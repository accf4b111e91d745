-- SPDX-License-Identifier: GPL-3.0-or-later
-- Statements of analysis/onesided: MPI windows.

-- Threads with calls missing between recorded ones.
-- name: threads_with_gaps
SELECT DISTINCT thread_id FROM gap WHERE kind IN ('off', 'damage')
