import { readFileSync } from 'node:fs';
import { CliError } from './errors.js';

/** Reads a JSON file of the user. Throws a CliError that names it. */
export function jsonOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new CliError(`${file} cannot be read as JSON: ${(cause as Error).message}`);
  }
}
