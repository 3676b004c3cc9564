import type { Transformation } from '../../api/code.js';
import type { Connection, Counters, Destination, Source } from '../../api/inventory.js';
import type { Trouble } from '../../api/operation.js';
import type { Counted } from '../../api/pages.js';
import type { Unfinished } from '../../api/privacy.js';
import { count, plural } from '../../lib/format.js';
import { type Process, stateOf, wordOf, workOf } from '../../lib/processes.js';

/** Something that waits for a person, with the place where it is done. */
export interface Attention {
  key: string;
  tone: 'bad' | 'warn' | 'neutral';
  /** Name of the resource, which a stranger may have written. */
  subject: string;
  sentence: string;
  to: '/destinations/$id' | '/sources/$id' | '/code/$id' | '/privacy' | '/settings';
  /** The id of the resource, where the place is the page of one. */
  id?: string;
  tab?: string;
  /** The state of deletions that the place shows. */
  status?: Unfinished;
}

interface Facts {
  sources: readonly Source[];
  destinations: readonly Destination[];
  /** Undefined while nobody knows them: then nothing is said of them. */
  connections: readonly Connection[] | undefined;
  counters: readonly Counters[];
  transformations: readonly Transformation[];
  processes: readonly Process[];
  troubles: readonly Trouble[];
  /** Undefined while nobody knows them. */
  deletions: Readonly<Record<Unfinished, Counted | undefined>>;
}

const TONES = ['bad', 'warn', 'neutral'] as const;

/** The things that need a person now, the worst first. */
export function attentionOf(facts: Facts): Attention[] {
  const all = [failures, rollbacks, deletions, processes, silences, incomplete, unconnected].flatMap((of) => of(facts));
  return TONES.flatMap((tone) => all.filter((one) => one.tone === tone));
}

function failures({ destinations, counters }: Facts): Attention[] {
  const byId = new Map(destinations.map((one) => [one.id, one]));
  return counters.flatMap(({ destinationId: id, dead, inRetry, breakerOpen }): Attention[] => {
    const destination = byId.get(id);
    if (!destination) return [];
    const common = { subject: destination.name, to: '/destinations/$id', id, tab: 'failures' } as const;
    if (breakerOpen) {
      const sentence = `Most deliveries fail, so Weir makes only a few attempts: ${count(inRetry)} waiting`;
      return [{ ...common, key: `breaker ${id}`, tone: 'bad', sentence }];
    }
    if (dead > 0)
      return [
        { ...common, key: `dead ${id}`, tone: 'bad', sentence: `${plural(dead, 'event')} could not be delivered` },
      ];
    if (inRetry > 0)
      return [{ ...common, key: `retry ${id}`, tone: 'warn', sentence: `${count(inRetry)} waiting to be retried` }];
    return [];
  });
}

const rollbacks = ({ transformations }: Facts): Attention[] =>
  transformations.flatMap(({ id, name, rolledBack }) =>
    rolledBack
      ? [
          {
            key: `back ${id}`,
            tone: 'bad',
            subject: name,
            sentence: 'Rolled back automatically because a new version failed',
            to: '/code/$id',
            id,
            tab: 'history',
          },
        ]
      : [],
  );

function deletions({ deletions: counted, troubles, destinations }: Facts): Attention[] {
  const names = new Map(destinations.map(({ id, name }) => [id, name]));
  const overdue = openOf(troubles, 'deletion_overdue').map(
    ({ resourceId: id, count: tasks }): Attention => ({
      key: `overdue ${id}`,
      tone: 'bad',
      subject: names.get(id) ?? id,
      sentence: `${tasks === undefined ? 'Deletions' : plural(tasks, 'deletion')} overdue: asked more than a day ago`,
      to: '/privacy',
    }),
  );
  const states = Object.keys(BECAME) as Unfinished[];
  return [...states.flatMap((status) => unfinished(status, counted[status])), ...overdue];
}

const BECAME: Record<Unfinished, string> = {
  failed: 'failed and will be tried again',
  partial: 'ended in part',
  aborted: 'failed for good',
};

function unfinished(status: Unfinished, counted: Counted | undefined): Attention[] {
  const { rows, isMore } = counted ?? { rows: 0, isMore: false };
  if (rows === 0 && !isMore) return [];
  const place = { key: `deletions ${status}`, subject: 'Privacy', to: '/privacy', status } as const;
  if (rows === 0) {
    const sentence = `Only the newest regulations were searched for deletions that ${BECAME[status]}`;
    return [{ ...place, tone: 'neutral', sentence }];
  }
  const deletions = isMore ? `${count(rows)} or more deletions` : plural(rows, 'deletion');
  return [{ ...place, tone: 'bad', sentence: `${deletions} ${BECAME[status]}: a destination still holds the data` }];
}

const processes = ({ processes: all }: Facts): Attention[] =>
  all
    .filter((process) => stateOf(process) !== 'works')
    .map((process) => ({
      key: `process ${process.name}`,
      tone: stateOf(process) === 'away' ? 'bad' : 'warn',
      subject: process.name,
      sentence: [wordOf(process), workOf(process)].filter(Boolean).join(': it '),
      to: '/settings',
      tab: 'health',
    }));

function silences({ troubles, sources }: Facts): Attention[] {
  const names = new Map(sources.map(({ id, name }) => [id, name]));
  return openOf(troubles, 'source_silent').map(({ resourceId: id }) => ({
    key: `silent ${id}`,
    tone: 'warn',
    subject: names.get(id) ?? id,
    sentence: 'Sends nothing at a time at which it usually does',
    to: '/sources/$id',
    id,
  }));
}

/** The others of their kinds are told from the counters and the code, which know them without a channel. */
const openOf = (troubles: readonly Trouble[], kind: Trouble['kind']): Trouble[] =>
  troubles.filter((trouble) => trouble.kind === kind && trouble.resolvedAt === undefined);

const incomplete = ({ destinations }: Facts): Attention[] =>
  destinations.flatMap(({ id, name, status, missing = [] }) =>
    status === 'incomplete'
      ? [
          {
            key: `missing ${id}`,
            tone: 'warn',
            subject: name,
            sentence: `Needs ${missing.join(', ')} before it can deliver`,
            to: '/destinations/$id',
            id,
            tab: 'settings',
          },
        ]
      : [],
  );

function unconnected({ sources, connections }: Facts): Attention[] {
  if (!connections) return [];
  const connected = new Set(connections.flatMap(({ sourceId, enabled }) => (enabled ? [sourceId] : [])));
  return sources
    .filter(({ id }) => !connected.has(id))
    .map(({ id, name }) => ({
      key: `alone ${id}`,
      tone: 'neutral',
      subject: name,
      sentence: 'Not connected to a destination, so its events go nowhere',
      to: '/sources/$id',
      id,
    }));
}
