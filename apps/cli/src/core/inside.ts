import { readlinkSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { CliError } from './errors.js';
import type { Io } from './io.js';

/** A path to read or write. Throws a CliError if a link leads it out of the folder that files have to be in. */
export function confined(path: string, { filesIn }: Pick<Io, 'filesIn'>): string {
  if (filesIn === undefined || isInside(filesIn, path)) return path;
  throw new CliError(`${path} is outside of the folder ${filesIn}`, 'Remove the link that leads there.');
}

/** Whether a path is in a folder once its links are followed. A link that leads to nothing is not: a write would follow it. */
export function isInside(folder: string, path: string): boolean {
  const [from, to] = [followed(resolve(folder)), followed(resolve(path))];
  if (from === undefined || to === undefined) return false;
  const way = relative(from, to);
  return !isAbsolute(way) && way.split(/[\\/]/)[0] !== '..';
}

/** Without its links. The rest of a path that is not there yet has none. Undefined if a link leads to nothing. */
function followed(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    if (isLink(path)) return undefined;
  }
  const above = dirname(path);
  const folder = above === path ? path : followed(above);
  return folder === undefined ? undefined : join(folder, relative(above, path));
}

function isLink(path: string): boolean {
  try {
    readlinkSync(path);
    return true;
  } catch {
    return false;
  }
}
