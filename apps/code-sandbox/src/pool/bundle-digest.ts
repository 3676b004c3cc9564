import { hash } from 'node:crypto';
import type { Bundle } from '../wire/protocol.js';

const digests = new WeakMap<Bundle, string>();

/**
 * Names a bundle by its whole content, so that reusing a key for other code never runs the old code. Made once for each object,
 * because a bundle may have hundreds of kilobytes.
 */
export function digestOf(bundle: Bundle): string {
  const known = digests.get(bundle);
  if (known !== undefined) return known;
  const { key, name, code, libraries } = bundle;
  const content = [key, name, code, ...libraries.flatMap((library) => [library.importName, library.code])];
  const digest = hash('sha256', JSON.stringify(content), 'base64');
  digests.set(bundle, digest);
  return digest;
}
