/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Particles on the faces of a cube (Shende 2001, Fig. 12 and 16): the time that
 * one routine takes, by face.  A particle holds its face's entity (embedded
 * association).  A spark is of a closed class, in which nothing can be added:
 * its face is noted by its address (external association).  A particle on an
 * edge belongs to two faces, by weights (a mix).  The program counts and reads
 * the clock itself, inside (inner) and outside (outer) of what gaspdb measures,
 * and prints both.
 *
 *	gaspdb record -o run -- particles
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "gaspdb.h"

enum { FACES = 6, EDGES = 3, SPARKS = 5, STEPS = 20 };

/* Particles of a face: more on each. */
static int on_face(int face)
{
	return 4 * (face + 1);
}

struct particle {
	double x, v;
	int face;		/* of an edge: the first of its faces */
	gaspdb_entity_t entity; /* the embedded association */
};

/* A class that another library has closed. */
struct spark {
	double energy;
};

/* What the program knows. */
struct counter {
	long calls;
	long long inner_ns, outer_ns;
};

static struct particle *particles;
static int n_particles;
static struct spark *sparks;
static struct counter of_face[FACES], of_edge[EDGES], of_spark[FACES];
static const char spark_space; /* names the set of keys */

static long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static double compute(double x, int rounds)
{
	for (int i = 0; i < rounds; i++)
		x = x * 0.999999 + 0.5 / (x + 1);
	return x;
}

static void add(int face, gaspdb_entity_t entity)
{
	particles[n_particles++] = (struct particle){ .x = face + 1,
						      .face = face,
						      .entity = entity };
}

/* Faces are entities of one kind, below the cube; each has its area. */
static void make_particles(void)
{
	const gaspdb_entity_t cube = gaspdb_entity_create("cube", "cube", 0);
	gaspdb_entity_t face[FACES];

	particles = calloc(1000, sizeof *particles);
	sparks = calloc(FACES * SPARKS, sizeof *sparks);
	for (int f = 0; f < FACES; f++) {
		char name[32];

		snprintf(name, sizeof name, "face %d", f);
		face[f] = gaspdb_entity_create("face", name, cube);
		gaspdb_entity_int(face[f], "particles", on_face(f));
		gaspdb_entity_text(face[f], "side", f % 2 ? "odd" : "even");
		for (int i = 0; i < on_face(f); i++)
			add(f, face[f]);
		for (int i = 0; i < SPARKS; i++)
			gaspdb_associate(&spark_space,
					 (uintptr_t)&sparks[f * SPARKS + i],
					 face[f]);
	}
	/* Particles on the edge of faces e and e + 1: three quarters, a
	   quarter. */
	for (int e = 0; e < EDGES; e++)
		add(FACES + e,
		    gaspdb_entity_mix(2, &face[e], (double[]){ 3, 1 }));
}

static void process_particle(struct particle *p)
{
	struct counter *c =
		p->face < FACES ? &of_face[p->face] : &of_edge[p->face - FACES];
	const long long outer = now_ns();
	long long inner;

	gaspdb_entity_begin(p->entity);
	inner = now_ns();
	p->x = compute(p->x, 3000);
	c->inner_ns += now_ns() - inner;
	gaspdb_entity_end(p->entity);
	c->outer_ns += now_ns() - outer;
	c->calls++;
}

static void process_spark(struct spark *s)
{
	struct counter *c = &of_spark[(s - sparks) / SPARKS];
	const gaspdb_entity_t entity =
		gaspdb_associated(&spark_space, (uintptr_t)s);
	const long long outer = now_ns();
	long long inner;

	gaspdb_entity_begin(entity);
	inner = now_ns();
	s->energy = compute(s->energy, 1000);
	c->inner_ns += now_ns() - inner;
	gaspdb_entity_end(entity);
	c->outer_ns += now_ns() - outer;
	c->calls++;
}

static void print(const char *what, const struct counter *c, int n)
{
	for (int i = 0; i < n; i++)
		printf("%s %d calls %ld inner_ns %lld outer_ns %lld\n", what, i,
		       c[i].calls, c[i].inner_ns, c[i].outer_ns);
}

int main(void)
{
	make_particles();
	for (int step = 0; step < STEPS; step++) {
		for (int i = 0; i < n_particles; i++)
			process_particle(&particles[i]);
		for (int i = 0; i < FACES * SPARKS; i++)
			process_spark(&sparks[i]);
	}
	print("face", of_face, FACES);
	print("edge", of_edge, EDGES);
	print("spark", of_spark, FACES);
	return 0;
}
