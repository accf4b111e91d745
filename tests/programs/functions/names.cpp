/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions of classes and namespaces, by which they are called. */
#define CALLED __attribute__((noinline))

static volatile int sum;

namespace heat {
namespace solver {
struct mesh {
	CALLED mesh() { sum = sum + 1; }
	CALLED ~mesh() { sum = sum + 2; }
	CALLED int refine(int n);
	CALLED static int cells() { return sum; }
	CALLED int operator()(int n) { return sum + n; }
	struct edge {
		CALLED int length() { return sum; }
	};
};

int mesh::refine(int n)
{
	return sum + n;
}

CALLED static int relax(int n)
{
	return sum + n;
}
}

template <typename T> class grid {
	T value;

    public:
	CALLED explicit grid(T t) : value(t) { sum = sum + 3; }
	CALLED T smooth() { return value + (T)sum; }
};
}

namespace {
CALLED int hidden(int n)
{
	return sum + n;
}
}

CALLED static int plain(int n)
{
	struct local {
		CALLED static int inside(int n) { return sum + n; }
	};
	return local::inside(n);
}

int main()
{
	heat::solver::mesh m;
	heat::solver::mesh::edge e;
	heat::grid<double> g(1);

	sum = m.refine(1) + m.cells() + m(2) + e.length() + heat::solver::relax(3) + (int)g.smooth() + hidden(4) + plain(5);
	return 0;
}
