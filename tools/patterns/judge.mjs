// Judges with recheck's automata whether a pattern takes linear time on every text. A guess of recheck does not count as proof.
import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { check } from 'recheck';

/** Per pattern, on a busy machine. The slowest pattern takes 5 s on an idle one. */
const TIMEOUT_MS = 120_000;
/** Above recheck's defaults, beyond which it guesses. The longest pattern has some hundred counted characters. */
const BOUNDS = { maxRepeatCount: 10_000, maxNFASize: 1_000_000, maxPatternSize: 100_000 };
const FEW = 3;
const ONE_CHARACTER = ['Character', 'CharacterSet', 'CharacterClass', 'ExpressionCharacterClass'];

/** Undefined for a linear pattern, otherwise the problem. */
export async function problemOf({ source, flags }) {
  let loosened;
  try {
    loosened = withoutCounts(source, flags);
  } catch (error) {
    return error.message;
  }
  const { status, checker, complexity, attack, error } = await check(loosened, flags.replace('d', ''), {
    timeout: TIMEOUT_MS,
    ...BOUNDS,
  });
  if (status === 'vulnerable') return `takes ${complexity.summary} time, for instance on ${attack.pattern}`;
  if (status === 'unknown') return `cannot be judged: ${error.message ?? error.kind}`;
  return checker === 'automaton' ? undefined : 'cannot be shown to be linear: it has look-around or back references';
}

/**
 * Replaces counted repetitions with `+`, `*` and `?`. recheck ignores the cost of counted repetitions, so `(a?){30}a{30}` passes,
 * although its time doubles with each repetition. If the loosened pattern is linear, no choices can multiply. For single
 * characters, exact counts and small counts stay.
 */
function withoutCounts(source, flags) {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  const counts = [];
  visitRegExpAST(pattern, {
    onQuantifierEnter({ element, min, max, end, greedy }) {
      if ((min === max || max <= FEW) && ONE_CHARACTER.includes(element.type)) return;
      if (max > 1 && Number.isFinite(max) && mayBeEmpty(element))
        throw new Error('repeats by number what may be empty');
      const sign = min > 0 ? '+' : max > 1 ? '*' : '?';
      counts.push({ from: element.end, to: end, text: sign + (greedy ? '' : '?') });
    },
  });
  counts.sort((one, other) => other.from - one.from);
  return counts.reduce((text, { from, to, text: sign }) => text.slice(0, from) + sign + text.slice(to), source);
}

/** Engines try each such repetition with and without it, whereas a `+` has it at most once. */
function mayBeEmpty({ type, min, element, elements, alternatives }) {
  if (ONE_CHARACTER.includes(type)) return false;
  if (type === 'Quantifier') return min === 0 || mayBeEmpty(element);
  if (alternatives) return type === 'Assertion' || alternatives.some(mayBeEmpty);
  return !elements || elements.every(mayBeEmpty);
}
