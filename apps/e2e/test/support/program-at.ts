import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of a program that a test needs and a machine may lack. A variable may name one in another place. */
export function programAt(name: string, variable: string): string | undefined {
  const given = process.env[variable];
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name));
  return [...(given ? [given] : []), ...onPath].find((path) => existsSync(path));
}
