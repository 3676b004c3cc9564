import type { Transformation } from '../../api/code.js';
import type { Connection, Counters, Destination, Source } from '../../api/inventory.js';
import { count, plural } from '../../lib/format.js';

/** Something that waits for a person, with the place where it is done. */
export interface Attention {
  key: string;
  tone: 'bad' | 'warn' | 'neutral';
  /** Name of the resource, which a stranger may have written. */
  subject: string;
  sentence: string;
  to: '/destinations/$id' | '/sources/$id' | '/code/$id';
  id: string;
  tab?: string;
}

interface Facts {
  sources: readonly Source[];
  destinations: readonly Destination[];
  /** Undefined while nobody knows them: then nothing is said of them. */
  connections: readonly Connection[] | undefined;
  counters: readonly Counters[];
  transformations: readonly Transformation[];
}

/** The things that need a person now, the worst first. */
export function attentionOf(facts: Facts): Attention[] {
  return [...failures(facts), ...rollbacks(facts), ...incomplete(facts), ...unconnected(facts)];
}

function failures({ destinations, counters }: Facts): Attention[] {
  return counters.flatMap(({ destinationId: id, dead, inRetry, breakerOpen }): Attention[] => {
    const destination = destinations.find((one) => one.id === id);
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

const unconnected = ({ sources, connections }: Facts): Attention[] =>
  sources
    .filter(({ id }) => connections && !connections.some(({ sourceId, enabled }) => enabled && sourceId === id))
    .map(({ id, name }) => ({
      key: `alone ${id}`,
      tone: 'neutral',
      subject: name,
      sentence: 'Not connected to a destination, so its events go nowhere',
      to: '/sources/$id',
      id,
    }));
