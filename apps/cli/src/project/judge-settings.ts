import { compileSettings, type SettingProblem, type SettingsCheck } from '@weir/settings';
import type { Plan } from './plan.js';
import type { Desired, DestinationKind } from './resources.js';
import { said } from './yaml-file.js';

type Wanted = Pick<Desired['destinations'][number], 'name' | 'type' | 'config' | 'secrets' | 'placeOf'>;
type Judged = Pick<Plan, 'problems' | 'warnings'>;

/**
 * Judges settings as the server does, so that an apply does not fail in its middle. What the server would refuse is a problem, and
 * what it would store as incomplete is a warning. A kind that Weir does not have is told elsewhere.
 */
export function settingsJudge(kinds: Readonly<Record<string, DestinationKind>>): (wanted: Wanted) => Judged {
  const checks = new Map<string, SettingsCheck>();
  return (wanted) => {
    const kind = Object.hasOwn(kinds, wanted.type) ? kinds[wanted.type] : undefined;
    if (!kind) return { problems: [], warnings: [] };
    const check = checks.get(wanted.type) ?? compileSettings(kind.configSchema);
    checks.set(wanted.type, check);
    const { problems, missing } = check(wanted.config);
    return {
      problems: problems.toSorted(byLine(wanted)).map((problem) => problemText(wanted, problem)),
      warnings: missing.length === 0 ? [] : [incompleteText(wanted, missing)],
    };
  };
}

const byLine =
  ({ placeOf }: Wanted) =>
  (one: SettingProblem, other: SettingProblem): number =>
    placeOf(one.path).line - placeOf(other.path).line;

const saidOf = ({ name, type, placeOf }: Wanted, path: readonly string[], message: string): string =>
  said(placeOf(path), `destination "${name}" (${type})${message}`);

function problemText(wanted: Wanted, { path, problem, quotesValue }: SettingProblem): string {
  const from = originOf(wanted, path);
  const told = from !== undefined && quotesValue ? 'is no pattern that Weir matches' : problem;
  const setting = ['config', ...path].join('.');
  return saidOf(wanted, path, `: ${setting} ${told}${from === undefined ? '' : ` (it is set from ${from})`}`);
}

/** It has the status `incomplete` then. */
function incompleteText(wanted: Wanted, missing: readonly string[]): string {
  const settings = missing.map((key) => `config.${key}`).join(', ');
  return saidOf(wanted, [], ` is incomplete and gets no events: add ${settings}`);
}

/** The reference that gives the setting its value, or a value around it. Its own value is never told. */
function originOf({ secrets }: Wanted, path: readonly string[]): string | undefined {
  const around = path.map((_, at) => path.slice(0, path.length - at).join('.'));
  return around.map((one) => secrets[one]).find((origin) => origin !== undefined);
}
