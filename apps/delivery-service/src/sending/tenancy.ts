/**
 * The message of a queue keeps several batches. It is removed once all of them are done.
 *
 * @param remove removes the message. Resolves to false if it may come again
 * @returns what each batch calls once, when it is done
 */
export function tenancy(tenants: number, remove: () => Promise<boolean>): () => Promise<boolean> {
  const removed = Promise.withResolvers<boolean>();
  let left = tenants;
  return () => {
    left -= 1;
    if (left === 0) removed.resolve(remove());
    return removed.promise;
  };
}
