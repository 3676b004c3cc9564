/** Knows the methods of each path, so that a wrong method gets 405 with `Allow` instead of 404. */
export class AllowedMethods {
  private readonly routes: { method: string; segments: string[] }[] = [];

  /** `pattern` has the router's form: `/v2/sources/:id`. */
  add(method: string, pattern: string): void {
    this.routes.push({ method, segments: segmentsOf(pattern) });
  }

  /** Methods of a concrete path in order of registration. Empty if no route has that path. */
  of(path: string): string[] {
    const asked = segmentsOf(path);
    const methods = this.routes.filter(({ segments }) => matches(segments, asked)).map(({ method }) => method);
    return [...new Set(methods)];
  }
}

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '');

function matches(pattern: string[], path: string[]): boolean {
  const last = pattern.at(-1);
  if (last === '*') return path.length >= pattern.length - 1 && prefixMatches(pattern.slice(0, -1), path);
  return pattern.length === path.length && prefixMatches(pattern, path);
}

const prefixMatches = (pattern: string[], path: string[]) =>
  pattern.every((segment, index) => segment.startsWith(':') || segment === path[index]);
