/**
 * Like `Promise.all`, but rejects only when all work has ended. Nothing goes on behind the back of a caller that tries again. Rejects
 * with the error of the first that failed, in the order of `work`.
 */
export async function allEnded<T>(work: Iterable<T | PromiseLike<T>>): Promise<T[]> {
  const settled = await Promise.allSettled(work);
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}

/** Does the work for one after the other. One that fails holds up no other. Fails at the end, with the first error. */
export async function eachInTurn<T>(items: Iterable<T>, work: (item: T) => unknown): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
