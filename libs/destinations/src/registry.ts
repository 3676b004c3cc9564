import type { DestinationDefinition } from '@weir/contracts';
import type { DestinationKind } from './kind.js';
import * as kinds from './kinds/index.js';
import { meter, refuseLarge } from './toolkit/limits.js';

/**
 * Limits what a kind takes and makes. Refuses an event with too many keys before the transform, and payloads that are too large
 * after it.
 */
const bounded = (kind: DestinationKind): DestinationKind => ({
  ...kind,
  transform: (event, config) => {
    refuseLarge(event, kind.takesEventsWhole);
    const payloads = kind.transform(event, config);
    meter()(payloads);
    return payloads;
  },
});

const byName = new Map(Object.values(kinds).map((kind) => [kind.definition.name, bounded(kind)]));

/** Undefined for an unknown kind. */
export const destinationKind = (name: string): DestinationKind | undefined => byName.get(name);

/** Sorted by name. */
export const destinationDefinitions = (): DestinationDefinition[] =>
  [...byName.values()].map(({ definition }) => definition).sort((a, b) => (a.name < b.name ? -1 : 1));

/**
 * Types of destinations that deliver through the data plane itself: streams, queues, object stores, sheets and warehouses. Weir
 * has no kind for these, but the Test API says why it does not support them (spec 4.3 rule 7, wire-facts 3.4).
 */
const OTHER_DATA_PLANE_KINDS: ReadonlySet<string> = new Set([
  ...['AZURE_BLOB', 'AZURE_DATALAKE', 'AZURE_EVENT_HUB', 'AZURE_SYNAPSE', 'BQ', 'BQSTREAM', 'CLICKHOUSE'],
  ...['CONFLUENT_CLOUD', 'DELTALAKE', 'DIGITAL_OCEAN_SPACES', 'EVENTBRIDGE', 'FIREHOSE', 'GCS', 'GCS_DATALAKE'],
  ...['GOOGLEPUBSUB', 'GOOGLESHEETS', 'KINESIS', 'MINIO', 'MSSQL', 'PERSONALIZE', 'RS', 'S3_DATALAKE', 'SNOWFLAKE'],
]);

/** Whether the Test API cannot test such destinations. That includes every kind of Weir that keeps connections open. */
export const deliversThroughDataPlane = (name: string): boolean =>
  OTHER_DATA_PLANE_KINDS.has(name) || destinationKind(name)?.open !== undefined;
