const BROWSERS: readonly [name: string, sign: RegExp][] = [
  ['Edge', /Edg\//],
  ['Firefox', /Firefox\//],
  ['Chrome', /Chrom(e|ium)\//],
  ['Safari', /Safari\//],
];
const SYSTEMS: readonly [name: string, sign: RegExp][] = [
  ['iOS', /iPhone|iPad/],
  ['Android', /Android/],
  ['macOS', /Mac OS X/],
  ['Windows', /Windows/],
  ['Linux', /Linux|X11/],
];

/** "Chrome on Linux": enough to tell browsers apart. A name that is not known stays as it is. */
export function browserName(userAgent: string): string {
  const found = (list: typeof BROWSERS) => list.find(([, sign]) => sign.test(userAgent))?.[0];
  const [browser, system] = [found(BROWSERS), found(SYSTEMS)];
  return browser && system ? `${browser} on ${system}` : userAgent;
}
