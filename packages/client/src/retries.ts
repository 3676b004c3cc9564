/** How a client repeats requests that the server put off. */
export interface RetryOptions {
  /** Repetitions of one request. Default: 3; 0 turns them off. */
  limit?: number | undefined;
  /** Longest wait before one repetition, in milliseconds. The answer to a longer `Retry-After` is returned at once. Default: 30,000. */
  longestWaitMs?: number | undefined;
}

type Send = (request: Request) => Promise<Response>;

/** A repetition of these changes nothing more (RFC 9110, 9.2.2). */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
/** Both say: not now, and nothing was done. */
const PUT_OFF = new Set([429, 503]);
const FIRST_WAIT_MS = 500;

/** Sends as `send` does, and repeats safe and idempotent requests that are answered with 429 or 503. */
export function retrying(send: Send, { limit = 3, longestWaitMs = 30_000 }: RetryOptions = {}): Send {
  return async (request) => {
    const isRepeatable = IDEMPOTENT.has(request.method) || request.headers.has('idempotency-key');
    for (let repetition = 0; ; repetition += 1) {
      const isLast = !isRepeatable || repetition >= limit;
      const response = await send(isLast ? request : request.clone());
      if (isLast || !PUT_OFF.has(response.status)) return response;
      const waitMs = retryAfterMs(response.headers.get('retry-after')) ?? FIRST_WAIT_MS * 2 ** repetition;
      if (waitMs > longestWaitMs) return response;
      await response.body?.cancel();
      await pause(waitMs, request.signal);
    }
  };
}

/** Milliseconds of a `Retry-After`, which is a number of seconds or a date (RFC 9110, 10.2.3). */
export function retryAfterMs(header: string | null, now = Date.now()): number | undefined {
  if (!header) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** Waits, or throws the reason of the signal as soon as it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
