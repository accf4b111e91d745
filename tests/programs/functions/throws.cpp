/* SPDX-License-Identifier: BSD-2-Clause */
/* A method that throws through two more, seven times. */
#include <stdexcept>
#include <string>

namespace grid {

class Solver {
public:
	__attribute__((noinline)) int step(int n)
	{
		if (n == 0)
			throw std::runtime_error("at the bottom");
		return step(n - 1) + 1;
	}
};

__attribute__((noinline)) int after(int n)
{
	return n + 1;
}

__attribute__((noinline)) int attempt(Solver &solver)
{
	try {
		return solver.step(2);
	} catch (const std::exception &) {
		return after(0);
	}
}

} // namespace grid

int main()
{
	grid::Solver solver;
	int sum = 0;

	for (int i = 0; i < 7; i++)
		sum += grid::attempt(solver);
	return sum == 7 ? 0 : 1;
}
