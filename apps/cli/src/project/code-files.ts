import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { isObject, type JsonObject } from './json.js';

/** `.js` files directly in a folder of code that no YAML names. They have the name of their file. `listed` are whole paths. */
export function unlistedCode(folder: string, listed: readonly string[]): { name: string; file: string }[] {
  if (!existsSync(folder)) return [];
  const known = new Set(listed.map((path) => resolve(path)));
  return readdirSync(folder)
    .filter((file) => file.endsWith('.js') && !known.has(resolve(folder, file)))
    .sort()
    .map((file) => ({ name: basename(file, '.js'), file: join(folder, file) }));
}

/** `<name>.events.json` or `<name>.tests.json` beside the code. Undefined if there is none. */
export function besideCode(codeFile: string, what: 'events' | 'tests'): string | undefined {
  const path = `${codeFile.replace(/\.js$/, '')}.${what}.json`;
  return existsSync(path) ? path : undefined;
}

/** One test of a suite: what goes in, and what has to come out. */
export interface TestCase {
  /** The console gives each test an id. */
  id?: string;
  name?: string;
  description?: string;
  input: JsonObject[];
  /** Left out: the code only has to run. */
  expectedOutput?: unknown[];
}

/** Tests of one transformation, and their bytes as JSON. The server takes no more. */
export const TESTS_MAX = 50;
const TESTS_BYTES_MAX = 131_072;

export const fits = (tests: readonly TestCase[]): boolean =>
  tests.length <= TESTS_MAX && Buffer.byteLength(JSON.stringify(tests)) <= TESTS_BYTES_MAX;

/** Refuses a misspelt key, because the test would then pass with any code. */
const Tests = z
  .array(
    z.strictObject({
      ...{ id: z.string().optional(), name: z.string().optional(), description: z.string().optional() },
      input: z.array(z.custom<JsonObject>(isObject, 'must be an event')),
      expectedOutput: z.array(z.unknown()).optional(),
    }),
  )
  .refine((tests) => fits(tests as TestCase[]), `must be at most ${TESTS_MAX} tests in ${TESTS_BYTES_MAX} bytes`);

/** The tests in a text, or why it has none. */
export function readTests(text: string): { tests: TestCase[]; problem?: undefined } | { problem: string } {
  try {
    const { data, error } = Tests.safeParse(JSON.parse(text));
    if (!error) return { tests: data as TestCase[] };
    return {
      problem: error.issues
        .map(({ path: at, message }) => [at.join('.'), message].filter(Boolean).join(': '))
        .join('; '),
    };
  } catch {
    return { problem: 'must hold a JSON list of tests with "input" and, if you like, "name" and "expectedOutput"' };
  }
}
