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
