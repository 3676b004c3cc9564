import type { Change } from './compare.js';
import type { Json } from './json.js';
import type { Plan, Step } from './plan.js';

const VALUE_CHARS_MAX = 80;
const SIGNS = { create: '+', update: '~', delete: '-', publish: '!' } as const;

/** A plan as people read it. Holds no secret: changes never do, and bodies are not shown. */
export function planText({ steps, problems, warnings, notes, unmanaged, unknownSecrets }: Plan): string {
  const parts = [
    steps.length === 0 ? nothingText(unmanaged.length) : steps.map(stepText).join('\n'),
    section(
      'Cannot be compared, because the API does not give them back (--set-secrets writes them again):',
      unknownSecrets,
    ),
    section(
      'In the workspace and not in the files (--prune deletes them):',
      unmanaged.map((one) => `${one.kind} "${one.name}"`),
    ),
    section('Notes:', notes),
    section('Warnings:', warnings),
    section('Problems, to solve first:', problems),
    steps.length === 0 ? '' : `${countText(steps)}.`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

const nothingText = (others: number): string =>
  others === 0
    ? 'Nothing to change: the workspace is as the files say.'
    : 'Nothing to change: what the files name is as they say.';

/** The plan for programs. */
export const planJson = ({ steps, problems, warnings, notes, unmanaged, unknownSecrets }: Plan): object => ({
  steps: steps.map(({ action, kind, name, changes }) => ({ action, kind, ...(name !== '' && { name }), changes })),
  ...{ problems, warnings, notes, unmanaged, unknownSecrets },
});

/** One line for a step. */
export function stepTitle(step: Step): string {
  if (step.kind === 'code') return `publish ${step.code.map(({ kind, name }) => `${kind} "${name}"`).join(', ')}`;
  return `${step.action} ${step.kind} "${step.name}"`;
}

function stepText(step: Step): string {
  return [`  ${SIGNS[step.action]} ${stepTitle(step)}`, ...step.changes.flatMap(changeLines)].join('\n');
}

function changeLines(change: Change): string[] {
  if ('secret' in change) return [`      ${change.path}: (${change.secret})`];
  const { path, from, to } = change;
  if (isCode(from) || isCode(to)) return [`      ${path}: ${linesText(from, to)}`];
  if (from === undefined) return isPlain(path, to) ? [] : [`      ${path}: ${shown(to)}`];
  return [`      ${path}: ${shown(from)} → ${to === undefined ? '(removed)' : shown(to)}`];
}

/** The defaults of a new resource. */
const isPlain = (path: string, value: Json | undefined): boolean =>
  path === 'name' ||
  (path === 'partitions' && value === 1) ||
  value === '' ||
  value === false ||
  (path === 'enabled' && value === true) ||
  shown(value) === '{}';

const isCode = (value: Json | undefined): value is string => typeof value === 'string' && value.includes('\n');

function linesText(from: Json | undefined, to: Json | undefined): string {
  const [before, after] = [from, to].map((text) => (typeof text === 'string' ? text.split('\n') : []));
  const added = without(after ?? [], before ?? []);
  const removed = without(before ?? [], after ?? []);
  return from === undefined ? `${added} lines` : `${added} lines added, ${removed} removed`;
}

/** Lines that `others` has not, or has less often. */
function without(lines: readonly string[], others: readonly string[]): number {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    if (count > 0) left.set(line, count - 1);
    return count === 0;
  }).length;
}

function shown(value: Json | undefined): string {
  const text = value === undefined ? '(nothing)' : JSON.stringify(value);
  return text.length > VALUE_CHARS_MAX ? `${text.slice(0, VALUE_CHARS_MAX)}…` : text;
}

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : [title, ...lines.map((line) => `  ${line}`)].join('\n');

function countText(steps: readonly Step[]): string {
  const count = (action: Step['action']) => steps.filter((step) => step.action === action).length;
  return `${count('create')} to create, ${count('update')} to change, ${count('delete')} to delete`;
}
