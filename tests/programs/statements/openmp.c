/* SPDX-License-Identifier: BSD-2-Clause */
/* Marked statements around and in a parallel region: 1 and 8. */
static volatile int sum;

__attribute__((noipa)) static void work(int n)
{
#pragma omp atomic
	sum += n;
}

int main(void)
{
#pragma gaspdb statement "around"
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 8; i++)
		work(i);
#pragma gaspdb end
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 8; i++) {
		work(i);
#pragma gaspdb statement "in"
		work(i);
#pragma gaspdb end
		work(i);
	}
	return 0;
}
