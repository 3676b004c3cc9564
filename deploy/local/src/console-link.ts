import type { StackAddress } from './stack.js';

/** The stack is ready, so its answer takes no time. */
const DEADLINE_MS = 5_000;

/** A link that signs in to the console once. Undefined if the console is switched off. A start never fails for it. */
export async function consoleLink({ urls: [url], accessToken }: StackAddress): Promise<string | undefined> {
  try {
    const answer = await fetch(`${url}/console/links`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}` },
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    const made: unknown = answer.status === 201 ? await answer.json() : undefined;
    const path: unknown = typeof made === 'object' && made !== null && 'path' in made ? made.path : undefined;
    return typeof path === 'string' ? `${url}${path}` : undefined;
  } catch {
    return undefined;
  }
}
