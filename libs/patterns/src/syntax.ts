/** An escape, a class, the start of a group, a counted repetition, or one other character. */
const TOKEN = /\\[pP]\{[^{}]*\}|\\[pP]?.?|\[(?:\\.|[^\]\\])*\]?|\((?:\?<?.?)?|\{(\d+)(?:(,)(\d*))?\}|./gsy;

const GROUPS: Readonly<Record<string, string>> = {
  '(?=': 'look-ahead',
  '(?!': 'look-ahead',
  '(?<=': 'look-behind',
  '(?<!': 'look-behind',
  '(?>': 'an atomic group',
  '(?(': 'a condition',
};

/** The feature of the pattern that the linear engine does not support, in common terms. Undefined if there is none. */
export function unsupportedIn(pattern: string): string | undefined {
  let previous = '';
  for (const [token] of pattern.matchAll(TOKEN)) {
    const found =
      token === '+' && isQuantifier(previous) ? `a possessive quantifier (${previous}+)` : unsupported(token);
    if (found !== undefined) return found;
    previous = token;
  }
  return undefined;
}

const isQuantifier = (token: string) => token === '*' || token === '+' || token === '?' || /^\{\d/.test(token);

function unsupported(token: string): string | undefined {
  if (/^\\[1-9k]/.test(token)) return `a back reference (${token})`;
  if (/^\\[AEQZz]/.test(token)) return `the escape ${token}`;
  if (!token.startsWith('(?') || token === '(?:' || /^\(\?<[\p{L}_$]/u.test(token)) return undefined;
  return `${GROUPS[token] ?? GROUPS[token.slice(0, 3)] ?? 'a flag or group of another dialect'} (${token})`;
}

/** Length of a pattern with its repetitions expanded: `\d{4}` counts as `\d\d\d\d`. */
export function writtenOut(pattern: string): number {
  const outer: number[] = [];
  let [size, last] = [0, 0];
  for (const [token, least, open, most] of pattern.matchAll(TOKEN)) {
    if (token.startsWith('(')) {
      outer.push(size);
      [size, last] = [token.length, 0];
    } else if (token === ')') {
      [size, last] = [(outer.pop() ?? 0) + size + 1, size + 1];
    } else if (least !== undefined) {
      const times = Math.max(1, Number(most || Number(least) + (open ? 1 : 0)));
      [size, last] = [size + last * (times - 1), last * times];
    } else {
      [size, last] = [size + token.length, token.length];
    }
  }
  return outer.reduce((sum, one) => sum + one, size);
}
