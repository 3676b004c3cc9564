import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';

/** Whether a path is in a folder once its links are followed. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(followed(resolve(folder)), followed(resolve(path)));
  return !isAbsolute(way) && way.split(/[\\/]/)[0] !== '..';
}

/** Without its links. The rest of a path that is not there yet has none. */
function followed(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(followed(above), relative(above, path));
  }
}
