/**
 * Whether code may run in a context that stays. `warm` means that the analysis followed every line of the bundle and found nothing
 * that one run could leave for the next. `fresh` names the first thing that it found or could not follow.
 */
export type Verdict = { runtime: 'warm' } | FreshVerdict;

export interface FreshVerdict extends Problem {
  runtime: 'fresh';
}

/** Why code needs a fresh context for each run, in words for its author, and where. */
export interface Problem {
  reason: string;
  /** Counted from 1, like in stack traces. */
  line: number;
  column: number;
  /** The name that the code gives it. */
  name?: string;
  /** The import name of the library. Absent if it is in the code itself. */
  module?: string;
}

/** The code and the libraries that it may import. */
export interface Sources {
  code: string;
  libraries: readonly { importName: string; code: string }[];
}

/** Characters of a name in a reason. Authors may choose names as long as their code. */
const NAME_CHARS_MAX = 80;

/** Reads `keeps state: line 3, \`seen\``. */
export function describeProblem({ reason, line, name, module }: Problem): string {
  const place = module === undefined ? `line ${line}` : `library ${module}, line ${line}`;
  if (name === undefined) return `${reason}: ${place}`;
  return `${reason}: ${place}, \`${name.length > NAME_CHARS_MAX ? `${name.slice(0, NAME_CHARS_MAX)}…` : name}\``;
}
