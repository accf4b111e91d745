/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The adapters' locks: who has to wait, who gives up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/core/lock.h"

static struct gaspdb_lock lock, other;
static int in_handler[2];
static sigjmp_buf before;

static void try_both(int number)
{
	struct gaspdb_lock *const locks[] = { &lock, &other };

	(void)number;
	for (int i = 0; i < 2; i++) {
		in_handler[i] = gaspdb_lock_enter(locks[i]);
		if (in_handler[i])
			gaspdb_lock_leave(locks[i]);
	}
}

static void handlers_give_up(void **state)
{
	(void)state;
	signal(SIGUSR1, try_both);
	assert_true(gaspdb_lock_enter(&lock));
	raise(SIGUSR1);
	assert_int_equal(in_handler[0], 0);
	assert_int_equal(in_handler[1], 0);
	gaspdb_lock_leave(&lock);
	raise(SIGUSR1);
	assert_int_equal(in_handler[0], 1);
	assert_int_equal(in_handler[1], 1);
}

static long shared;

static void *count(void *user)
{
	for (int i = 0; i < 100000; i++) {
		if (!gaspdb_lock_enter(&lock))
			return NULL;
		shared++;
		gaspdb_lock_leave(&lock);
	}
	return user;
}

static void threads_take_turns(void **state)
{
	pthread_t threads[4];
	void *result;

	(void)state;
	for (int i = 0; i < 4; i++)
		assert_int_equal(
			pthread_create(&threads[i], NULL, count, &lock), 0);
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], &result);
		assert_ptr_equal(result, &lock);
	}
	assert_int_equal(shared, 400000);
}

static pthread_barrier_t barrier;

static void *hold(void *user)
{
	if (gaspdb_lock_enter(&lock)) {
		pthread_barrier_wait(&barrier); /* it is held */
		pthread_barrier_wait(&barrier); /* others have tried */
		gaspdb_lock_leave(&lock);
	}
	return user;
}

/* One that is held for good costs a wait, the next tries nothing; but when its
   holder comes back all is as before. */
static void waits_end(void **state)
{
	pthread_t thread;

	(void)state;
	pthread_barrier_init(&barrier, NULL, 2);
	assert_int_equal(pthread_create(&thread, NULL, hold, NULL), 0);
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < 1000; i++)
		assert_false(gaspdb_lock_enter(&lock));
	assert_true(gaspdb_lock_enter(&other));
	gaspdb_lock_leave(&other);
	pthread_barrier_wait(&barrier);
	pthread_join(thread, NULL);
	assert_true(gaspdb_lock_enter(&lock));
	gaspdb_lock_leave(&lock);
}

static void jump(int number)
{
	(void)number;
	siglongjmp(before, 1);
}

/* What a jump has left half done is left alone, other locks are not. */
static void jumps_leave_locks(void **state)
{
	static struct gaspdb_lock left;

	(void)state;
	signal(SIGUSR2, jump);
	if (!sigsetjmp(before, 1)) {
		assert_true(gaspdb_lock_enter(&left));
		raise(SIGUSR2);
	}
	assert_true(gaspdb_lock_enter(&other));
	gaspdb_lock_leave(&other);
	assert_false(gaspdb_lock_enter(&left));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(handlers_give_up),
		cmocka_unit_test(threads_take_turns),
		cmocka_unit_test(waits_end),
		cmocka_unit_test(jumps_leave_locks),
	};

	alarm(60);
	return cmocka_run_group_tests_name("lock", tests, NULL, NULL);
}
