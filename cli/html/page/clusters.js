/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clusters: rows of many threads that are alike. */

function listClusters() {
	return listRows().slice(0, clusterLimit);
}

function drawClusterRow() {}
function drawClusterLabel() {}
function clickCluster() {}
