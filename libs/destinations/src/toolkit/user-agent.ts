export interface Agent {
  browser?: string;
  browserVersion?: string;
  os?: string;
  osVersion?: string;
}

/** A name, the pattern of its version, and further patterns that must match. */
type Row = readonly [name: string, version: RegExp, ...also: RegExp[]];

/** Names that parsers of senders give too. Specific names first, because most browsers also name their ancestors. */
const BROWSERS: readonly Row[] = [
  ['Edge', /\b(?:Edge|Edg|EdgA|EdgiOS)\/([\d.]+)/],
  ['Samsung Internet', /SamsungBrowser\/([\d.]+)/],
  ['Opera', /\b(?:Opera|OPR|OPiOS)\/([\d.]+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/([\d.]+)/],
  ['Chrome Headless', /\bHeadlessChrome\/([\d.]+)/],
  ['Chrome WebView', /\bChrome\/([\d.]+)/, /; wv\)/],
  ['Chrome', /\b(?:Chrome|CriOS)\/([\d.]+)/],
  ['Mobile Safari', /Version\/([\d.]+)/, /Mobile/, /Safari/],
  ['Safari', /Version\/([\d.]+)/, /Safari/],
  ['IE', /MSIE ([\d.]+)/],
  ['IE', /rv:([\d.]+)/, /Trident\//],
];

const SYSTEMS: readonly Row[] = [
  ['Windows', /Windows NT ([\d.]+)/],
  ['Android', /Android ?([\d.]*)/],
  ['iOS', / OS ([\d_]+)/, /iPhone|iPad|iPod/],
  ['Mac OS', /Mac OS X ?([\d._]*)/],
  ['Chromium OS', /CrOS \S+ ([\d.]+)/],
  ['Ubuntu', /Ubuntu(?:\/([\d.]+))?/],
  ['Linux', /Linux()/],
];

/** Browser and system, if the user agent names them. */
export function parseUserAgent(userAgent: unknown): Agent {
  if (typeof userAgent !== 'string') return {};
  const [browser, browserVersion] = find(BROWSERS, userAgent);
  const [os, osVersion] = find(SYSTEMS, userAgent);
  return {
    ...(browser && { browser }),
    ...(browserVersion && { browserVersion }),
    ...(os && { os }),
    ...(osVersion && { osVersion: osVersion.replaceAll('_', '.') }),
  };
}

/** No browser sends a longer text. Limits the work of the patterns. */
const LENGTH_MAX = 1_024;

function find(table: readonly Row[], userAgent: string): [name?: string, version?: string | undefined] {
  const text = userAgent.slice(0, LENGTH_MAX);
  for (const [name, pattern, ...also] of table) {
    const match = pattern.exec(text);
    if (match && also.every((other) => other.test(text))) return [name, match[1]];
  }
  return [];
}
