/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Objects of C++ in known numbers. */
#include <cstddef>
#include <new>

struct alignas(128) Aligned {
	char bytes[256];
};

static int *volatile numbers[10];
static Aligned *volatile aligned, *volatile several;

int main()
{
	for (int i = 0; i < 10; i++)
		numbers[i] = new int[25]; // array
	for (int i = 0; i < 4; i++)
		delete[] numbers[i];
	numbers[0] = new int(7); // single
	delete numbers[0];
	aligned = new Aligned; // aligned
	several = new Aligned[3]; // several
	delete aligned;
	delete[] several;
	numbers[1] = new (std::nothrow) int[50]; // nothrow
	try {
		volatile std::size_t most = (std::size_t)1 << 60;
		numbers[2] = (int *)new char[most]; // thrown
	} catch (const std::bad_alloc &) {
		return 0;
	}
	return 1;
}
