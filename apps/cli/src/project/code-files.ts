import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

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
