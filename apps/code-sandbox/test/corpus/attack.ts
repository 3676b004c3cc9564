import type { JsonObject } from '@weir/contracts';

/**
 * What the caller gets for an attacked event. `ended`: the time is up, or V8 had a bad access before, as it compiled a function
 * with no stack left. Which of the two comes depends on the size of each frame.
 */
export type Outcome = 'timeout' | 'ended' | 'memory' | 'dropped' | { error: string | RegExp } | { output: JsonObject };

/** A name, a program, and what comes of its first event. */
export type Attack = readonly [name: string, code: string, outcome: Outcome];

export interface Family {
  name: string;
  /** Small, so that hundreds of programs run in a minute; the rules are the same. */
  memoryMb: number;
  attacks: readonly Attack[];
}

/** Stand for the path of a file and the name of a variable of the supervisor that nothing may read. */
export const CANARY_FILE = '/canary/file/path';
export const CANARY_NAME = 'WEIR_CANARY';

export const each = (body: string) => `export function transformEvent(event, metadata) { ${body} }`;
export const eachAsync = (body: string) => `export async function transformEvent(event, metadata) { ${body} }`;
/** A program whose output tells what its attempt got hold of. */
export const attempt = (body: string, head = '') => `${head}
  export async function transformEvent(event, metadata) {
    try {
      const got = await (async () => { ${body} })();
      return { got: got === null ? 'null' : typeof got };
    } catch (error) {
      return { failed: error instanceof Error ? String(error) : 'not an Error: ' + error?.message };
    }
  }`;
export const GOT_NOTHING: Outcome = { output: { got: 'undefined' } };
export const failed = (message: string): Outcome => ({ output: { failed: message } });
export const OVERFLOW: Outcome = { error: /^RangeError: Maximum call stack size exceeded/ };
