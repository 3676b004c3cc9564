import { knownOf } from '../core/entity-tag.js';
import { type Change, differences } from './compare.js';
import { visible } from './diff-code.js';
import type { JsonObject } from './json.js';
import { settingsJudge } from './judge-settings.js';
import { type Match, matchByName } from './match.js';
import { type DiffOptions, emptyPart, type Kind, type Part } from './plan.js';
import { type Actual, connectionKey, connectionName, type Desired, type Privacy } from './resources.js';

const cannotChange = (kind: Kind, name: string, what: string, there: string, here: string): string =>
  `${kind} "${name}": its ${what} is ${there} in the workspace and ${here} in the files, and cannot change. ` +
  `Write ${there}, give the resource another name, or delete it in the workspace first`;

/** Write keys are not told, because the files may have theirs from a secret. */
const otherWriteKey = (name: string, from: string | undefined): string =>
  `source "${name}": its write key in the files${from === undefined ? '' : ` (set from ${from})`} is not that of the workspace, and ` +
  'cannot change. Leave writeKey out, give the source another name, or delete it in the workspace first';

/** The server would refuse it, when half of the plan is done. `known` is empty if the server does not tell its kinds. */
function unknownKind(name: string, type: string, known: readonly string[]): string[] {
  if (known.length === 0 || known.includes(type)) return [];
  const near = known.filter((kind) => kind.startsWith(type.slice(0, 3).toUpperCase())).slice(0, 5);
  const advice = near.length > 0 ? `Is it ${near.join(' or ')}?` : 'The console lists the kinds.';
  return [`destination "${name}": Weir has no kind ${type}. ${advice}`];
}

/** Settings of a source and its privacy are two requests, so a step has either or both. */
export function diffSources(desired: Desired, actual: Actual): Part {
  const { pairs, rest, problems, notes } = matchByName('source', desired.sources, actual.sources);
  const part: Part = { ...emptyPart(), problems, notes };
  for (const { wanted, existing } of pairs) {
    const { name, type, enabled, config, transient, geoEnrichment, partitions, writeKey, secrets } = wanted;
    if (existing && type !== existing.type)
      part.problems.push(cannotChange('source', name, 'type', existing.type, type));
    if (existing && writeKey !== undefined && writeKey !== existing.writeKey)
      part.problems.push(otherWriteKey(name, wanted.writeKeyFrom));
    if (existing?.enabled && partitions !== existing.partitions)
      part.problems.push(notAtRest(name, existing.partitions));
    const settings = { name, enabled, config, transient, geoEnrichment, partitions };
    const { changes } = differences(settings, existing && settingsOf(existing), { secrets: prefixed(secrets) });
    const privacy = wanted.privacy && changesOfPrivacy(wanted.privacy, existing?.privacy);
    const all = [...changes, ...(privacy ?? [])];
    if (existing && all.length === 0) continue;
    const body = { name, type, enabled, config, transient, geoEnrichmentEnabled: geoEnrichment, partitions };
    const step = {
      ...{ kind: 'source' as const, name, changes: all },
      body: changes.length === 0 ? undefined : body,
      ...(privacy && privacy.length > 0 && { privacy: wanted.privacy }),
    };
    const known = existing && { ...knownOf(existing), writeKey: existing.writeKey, knownPrivacy: existing.privacy };
    if (known) part.steps.push({ ...step, action: 'update', ...known });
    else part.steps.push({ ...step, action: 'create', body: { ...body, ...(writeKey !== undefined && { writeKey }) } });
  }
  part.rest = rest.map((one) => ({ kind: 'source', name: one.name, ...knownOf(one) }));
  return part;
}

/** The server would refuse it, when half of the plan is done. */
const notAtRest = (name: string, partitions: number): string =>
  `source "${name}": its partitions change only while it is disabled. Write ${partitions}, or first apply enabled: false ` +
  'and wait until its events are delivered';

const settingsOf = (source: Actual['sources'][number]): JsonObject => {
  const { name, enabled, config, transient, geoEnrichment, partitions } = source;
  return { name, enabled, config, transient, geoEnrichment, partitions };
};

const changesOfPrivacy = (wanted: Privacy, existing: Privacy | undefined): Change[] =>
  differences({ privacy: { ...wanted } }, existing && { privacy: { ...existing } }, { secrets: {} }).changes;

export function diffDestinations(desired: Desired, actual: Actual, { setSecrets = false }: DiffOptions): Part {
  const { pairs, rest, problems, notes } = matchByName('destination', desired.destinations, actual.destinations);
  const part: Part = { ...emptyPart(), problems, notes };
  const judge = settingsJudge(actual.kinds);
  const newNameOf = newNames(
    matchByName('transformation', desired.transformations, visible(actual.transformations)).pairs,
  );
  for (const { wanted, existing } of pairs) {
    const { name, type, enabled, config, transformation, secrets } = wanted;
    if (existing && type !== existing.type)
      part.problems.push(cannotChange('destination', name, 'type', existing.type, type));
    if (!existing) part.problems.push(...unknownKind(name, type, Object.keys(actual.kinds)));
    const how = {
      secrets: prefixed(secrets),
      secretKeys: (actual.kinds[type]?.secretKeys ?? []).map((key) => `config.${key}`),
    };
    const stored = existing && { name: existing.name, enabled: existing.enabled, config: existing.config };
    const { changes, unknown } = differences({ name, enabled, config }, stored, how);
    const secret = unknown.map((path) => ({ path, secret: `secret, set from ${how.secrets[path] ?? 'the files'}` }));
    if (!setSecrets)
      part.unknownSecrets.push(...secret.map((one) => `destination "${name}": ${one.path}, ${one.secret}`));
    const settings = [...changes, ...(setSecrets ? secret : [])];
    const link = differences(named(transformation), named(newNameOf(existing?.transformation)), {
      secrets: {},
    }).changes;
    const all = [...settings, ...link];
    if (existing && all.length === 0) continue;
    if (settings.length > 0) {
      const { problems: wrong, warnings } = judge(wanted);
      part.problems.push(...wrong);
      part.warnings.push(...warnings);
    }
    const step = {
      ...{ kind: 'destination' as const, name, changes: all },
      body: settings.length === 0 ? undefined : { name, type, enabled, config },
      ...(link.length > 0 && { transformation: transformation ?? null }),
    };
    const known = existing && { ...knownOf(existing), linkedId: existing.transformationId };
    part.steps.push(known ? { ...step, action: 'update', ...known } : { ...step, action: 'create' });
  }
  part.rest = rest.map((one) => ({ kind: 'destination', name: one.name, ...knownOf(one) }));
  return part;
}

const named = (transformation: string | undefined): JsonObject =>
  transformation === undefined ? {} : { transformation };

const prefixed = (secrets: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(secrets).map(([path, from]) => [`config.${path}`, from]));

/** Connections are matched by their ends. A renamed end keeps its connections. */
export function diffConnections(desired: Desired, actual: Actual): Part {
  const part = emptyPart();
  const sourceName = newNames(matchByName('source', desired.sources, actual.sources).pairs);
  const destinationName = newNames(matchByName('destination', desired.destinations, actual.destinations).pairs);
  const stored = new Map(
    actual.connections.map(({ id, etag, enabled, ...ends }) => {
      const now = { source: sourceName(ends.source), destination: destinationName(ends.destination) };
      return [connectionKey(now), { ...now, id, etag, enabled }] as const;
    }),
  );
  for (const { source, destination, enabled } of desired.connections) {
    const key = connectionKey({ source, destination });
    const existing = stored.get(key);
    stored.delete(key);
    const { changes } = differences({ enabled }, existing && { enabled: existing.enabled }, { secrets: {} });
    if (existing && changes.length === 0) continue;
    const name = connectionName({ source, destination });
    const step = { kind: 'connection' as const, name, changes, source, destination, enabled };
    part.steps.push(existing ? { ...step, action: 'update', ...knownOf(existing) } : { ...step, action: 'create' });
  }
  part.rest = [...stored.values()].map((one) => ({ kind: 'connection', name: connectionName(one), ...knownOf(one) }));
  return part;
}

/** The name that the files give to a resource of the workspace. */
function newNames(pairs: Match<{ name: string }, { name: string }>[]) {
  const names = new Map(pairs.flatMap(({ wanted, existing }) => (existing ? [[existing.name, wanted.name]] : [])));
  return <Name extends string | undefined>(name: Name): Name => (names.get(String(name)) ?? name) as Name;
}
