import type { CodeRuntime } from '@weir/contracts';
import { runtimeOf } from '../analysis/runtime-of.js';
import { describeProblem, type Verdict } from '../analysis/verdict.js';
import type { Bundle } from '../wire/protocol.js';
import { identityOf } from './programs.js';

/** Verdicts that a child remembers. */
const VERDICTS_MAX = 1_000;
const verdicts = new Map<string, Verdict>();

/** Whether {@link verdictOn} has its answer ready. */
export const isJudged = (bundle: Bundle): boolean => verdicts.has(identityOf(bundle));

/** Analyses the code and its libraries once. Takes some milliseconds, so no live run waits for it. */
export function verdictOn(bundle: Bundle): Verdict {
  const identity = identityOf(bundle);
  const known = verdicts.get(identity);
  if (known) return known;
  const verdict = runtimeOf(bundle);
  if (verdicts.size >= VERDICTS_MAX) verdicts.clear();
  verdicts.set(identity, verdict);
  return verdict;
}

/** The verdict in words for the author of the code. */
export function shownRuntime(bundle: Bundle): CodeRuntime {
  const verdict = verdictOn(bundle);
  if (verdict.runtime === 'warm') return { runtime: 'warm' };
  return { runtime: 'fresh', runtimeReason: describeProblem(verdict) };
}
