/** The outcome of `work`, or a rejection that names `what` after the time; what comes later is nobody's. */
export async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`no answer from ${what}`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
