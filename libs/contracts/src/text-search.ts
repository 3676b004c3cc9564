/**
 * V8 looks for longer texts by skipping ahead, and starts over for each place: a text and a part of it that are written for this take
 * it half a minute (500 KB of one letter, and 120 KB of it around another). Up to here it cannot do worse than to compare so often.
 */
const NATIVE_LENGTH_MAX = 64;

/**
 * `text.indexOf(part, from)` in time that grows with the sum of both lengths, and not with their product: for texts and parts that
 * come from outside, both (Knuth, Morris and Pratt).
 */
export function indexOfText(text: string, part: string, from = 0): number {
  if (part.length <= NATIVE_LENGTH_MAX || text.length - from < part.length) return text.indexOf(part, from);
  const borders = bordersOf(part);
  let matched = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    while (matched > 0 && part.charCodeAt(matched) !== code) matched = borders[matched - 1] as number;
    if (part.charCodeAt(matched) === code) matched += 1;
    if (matched === part.length) return at - part.length + 1;
  }
  return -1;
}

/** `text.replaceAll(part, by)`, in linear time too, and with `by` as it is. */
export function replacedText(text: string, part: string, by: string): string {
  if (part === '') return text;
  const pieces: string[] = [];
  let from = 0;
  for (let at = indexOfText(text, part); at !== -1; at = indexOfText(text, part, from)) {
    pieces.push(text.slice(from, at));
    from = at + part.length;
  }
  return pieces.length === 0 ? text : [...pieces, text.slice(from)].join(by);
}

/** For each beginning of the part: how long its longest end is that is a beginning again. */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length);
  let border = 0;
  for (let at = 1; at < part.length; at += 1) {
    while (border > 0 && part.charCodeAt(border) !== part.charCodeAt(at)) border = borders[border - 1] as number;
    if (part.charCodeAt(border) === part.charCodeAt(at)) border += 1;
    borders[at] = border;
  }
  return borders;
}
