import type { CodeRuntime } from '@weir/contracts';
import { runtimeOf } from '../analysis/runtime-of.js';
import { describeProblem, type Verdict } from '../analysis/verdict.js';
import type { FullTask } from '../wire/protocol.js';

/** Verdicts that a child remembers. */
const VERDICTS_MAX = 1_000;
/** Verdicts by the digest of the bundle. */
const verdicts = new Map<string, Verdict>();

/** Whether {@link verdictOn} has its answer ready. */
export const isJudged = ({ digest }: FullTask): boolean => verdicts.has(digest);

/** Analyses the code and its libraries once. Takes some milliseconds, so no live run waits for it. */
export function verdictOn({ digest, bundle }: FullTask): Verdict {
  const known = verdicts.get(digest);
  if (known) return known;
  const verdict = runtimeOf(bundle);
  if (verdicts.size >= VERDICTS_MAX) verdicts.clear();
  verdicts.set(digest, verdict);
  return verdict;
}

/** The verdict in words for the author of the code. */
export function shownRuntime(task: FullTask): CodeRuntime {
  const verdict = verdictOn(task);
  if (verdict.runtime === 'warm') return { runtime: 'warm' };
  return { runtime: 'fresh', runtimeReason: describeProblem(verdict) };
}
