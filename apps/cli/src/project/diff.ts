import { differences } from './compare.js';
import { diffCode, visible } from './diff-code.js';
import { diffConnections, diffDestinations, diffSources } from './diff-inventory.js';
import { type DiffOptions, emptyPart, Ids, type Part, type Plan, type Step } from './plan.js';
import type { Actual, Desired } from './resources.js';

/**
 * The changes that the workspace needs. No event may reach a destination without its transformation: code comes first, then
 * destinations, the sources that may begin to send to them, and connections. Deletions follow in the opposite order.
 */
export function diff(desired: Desired, actual: Actual, options: DiffOptions = {}): Plan {
  const parts = [
    diffCredentials(desired, actual, options),
    diffCode(desired, actual),
    diffDestinations(desired, actual, options),
    diffSources(desired, actual),
    diffConnections(desired, actual),
  ];
  const rest = parts.toReversed().flatMap((part) => part.rest);
  return {
    steps: [...parts.flatMap(({ steps }) => steps), ...(options.prune ? rest.map(deletion) : [])],
    problems: [...unknownNames(desired, actual, options), ...parts.flatMap(({ problems }) => problems)],
    warnings: parts.flatMap(({ warnings }) => warnings),
    notes: parts.flatMap(({ notes }) => notes),
    unknownSecrets: parts.flatMap(({ unknownSecrets }) => unknownSecrets),
    unmanaged: options.prune ? [] : rest.map(({ kind, name }) => ({ kind, name })),
    ids: idsOf(actual),
  };
}

/** Names that neither the files nor the workspace will have. */
function unknownNames(desired: Desired, actual: Actual, { prune = false }: DiffOptions): string[] {
  const has = (list: readonly { name: string }[], name: string) => list.some((one) => one.name === name);
  const problem = (owner: string, what: 'source' | 'destination' | 'transformation', name: string): string[] => {
    const isThere = has(actual[`${what}s`], name);
    if (has(desired[`${what}s`], name) || (isThere && !prune)) return [];
    if (isThere) return [`${owner}: --prune would delete ${what} "${name}". Add it to the files`];
    return [`${owner}: there is no ${what} "${name}". Correct the name, or add the ${what} to the files`];
  };
  return [
    ...desired.connections.flatMap(({ source, destination }) => [
      ...problem(`connection to "${destination}"`, 'source', source),
      ...problem(`connection of "${source}"`, 'destination', destination),
    ]),
    ...desired.destinations.flatMap(({ name, transformation }) =>
      transformation === undefined ? [] : problem(`destination "${name}"`, 'transformation', transformation),
    ),
  ];
}

const deletion = (one: Part['rest'][number]): Step => ({ ...one, action: 'delete', changes: [] });

function idsOf(actual: Actual): Ids {
  const ids = new Ids();
  for (const { name, id } of actual.sources) ids.set('source', name, id);
  for (const { name, id } of actual.destinations) ids.set('destination', name, id);
  for (const { name, id } of visible(actual.transformations)) ids.set('transformation', name, id);
  return ids;
}

function diffCredentials({ credentials }: Desired, actual: Actual, { setSecrets }: DiffOptions): Part {
  const part = emptyPart();
  for (const { key, value, secret, secrets } of credentials) {
    const existing = actual.credentials.find((one) => one.key === key);
    const hidden = secret ? { ...secrets, value: secrets['value'] ?? 'the files' } : secrets;
    const stored = existing && {
      secret: existing.secret,
      ...(existing.value !== undefined && { value: existing.value }),
    };
    const { changes } = differences({ secret, value }, stored, { secrets: hidden });
    const isUnknown = existing?.secret === true && secret && !setSecrets;
    if (isUnknown) part.unknownSecrets.push(`credential "${key}": value, set from ${hidden['value']}`);
    if (existing && (isUnknown || changes.length === 0)) continue;
    const body = { value, isSecret: secret };
    const step = { kind: 'credential', name: key, changes, body } as const;
    part.steps.push(
      existing ? { ...step, action: 'update', id: key, etag: existing.etag } : { ...step, action: 'create' },
    );
  }
  const named = new Set(credentials.map(({ key }) => key));
  part.rest = actual.credentials
    .filter(({ key }) => !named.has(key))
    .map(({ key, etag }) => ({ kind: 'credential', name: key, id: key, etag }));
  return part;
}
