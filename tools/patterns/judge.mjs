// Says whether a pattern takes linear time on every text, by recheck's automata. What recheck could only guess at counts as not shown.
import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { check } from 'recheck';

/** Of one pattern, on a machine that is busy with other work: the slowest of ours takes 5 s on a quiet one. */
const TIMEOUT_MS = 120_000;
/** Above recheck's own, from which on it guesses: our longest pattern has some hundred counted characters. */
const BOUNDS = { maxRepeatCount: 10_000, maxNFASize: 1_000_000, maxPatternSize: 100_000 };
const FEW = 3;
const ONE_CHARACTER = ['Character', 'CharacterSet', 'CharacterClass', 'ExpressionCharacterClass'];

/** Undefined for a pattern that is linear, else what is wrong with it. */
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
 * The pattern with `+`, `*` and `?` for repetitions with numbers. recheck takes a counted repetition for free, so `(a?){30}a{30}`
 * passes it, though its time doubles with each one more. A pattern whose loosened form is linear has no choice that could add up.
 * Of one character, exact numbers stay, as there is nothing to choose, and small ones.
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

/** Engines try each such repetition with and without it, where a `+` has it at most once. */
function mayBeEmpty({ type, min, element, elements, alternatives }) {
  if (ONE_CHARACTER.includes(type)) return false;
  if (type === 'Quantifier') return min === 0 || mayBeEmpty(element);
  if (alternatives) return type === 'Assertion' || alternatives.some(mayBeEmpty);
  return !elements || elements.every(mayBeEmpty);
}
