/* SPDX-License-Identifier: BSD-2-Clause */
/* Statements that exceptions leave, in templates, and in a lambda's caller. */
#include <stdexcept>

#define CALLED __attribute__((noipa))

static volatile int sum;

CALLED static void work(int n)
{
	if (n < 0)
		throw std::runtime_error("negative");
	sum = sum + n;
}

struct guard {
	CALLED ~guard()
	{
		sum = sum + 1;
	}
};

CALLED static void caught(int n)
{
	try {
#pragma gaspdb statement "throws"
		guard g;
		work(1);
		work(n);
		work(1);
#pragma gaspdb end
	} catch (std::exception &) {
#pragma gaspdb statement "handler"
		work(2);
#pragma gaspdb end
	}
	work(3);
}

CALLED static void passes(int n)
{
	work(1);
#pragma gaspdb statement "passes"
	work(n);
#pragma gaspdb end
	work(1);
}

namespace shape {
template <typename T> struct field {
	T value;
	CALLED void smooth(int n)
	{
		for (int i = 0; i < n; i++) {
#pragma gaspdb statement "smooth"
			value += (T)i;
			work(i);
#pragma gaspdb end
			work(0);
		}
	}
};
}

template <typename F> CALLED static void each(int n, F f)
{
	for (int i = 0; i < n; i++)
		f(i);
}

int main()
{
	shape::field<int> a = { 0 };
	shape::field<double> b = { 0 };

	for (int i = -2; i < 3; i++)
		caught(i);
	for (int i = -2; i < 3; i++)
		try {
			passes(i);
		} catch (std::exception &) {
			work(1);
		}
	a.smooth(3), b.smooth(2);
#pragma gaspdb statement "lambda"
	each(4, [](int i) {
		work(i);
		work(i);
	});
#pragma gaspdb end
	return 0;
}
