/** Returns the outcome of `work`, or rejects with an error that names `what` after the time. A later outcome is ignored. */
export async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`no answer from ${what}`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
