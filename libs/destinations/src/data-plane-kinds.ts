/**
 * Kinds that deliver through the data plane itself: streams, queues, object stores, sheets, key-value stores and warehouses. The
 * Test API does not support them (spec 4.3 rule 7, wire-facts 3.4).
 */
const DATA_PLANE_KINDS: ReadonlySet<string> = new Set([
  'AZURE_BLOB',
  'AZURE_DATALAKE',
  'AZURE_EVENT_HUB',
  'AZURE_SYNAPSE',
  'BQ',
  'BQSTREAM',
  'CLICKHOUSE',
  'CONFLUENT_CLOUD',
  'DELTALAKE',
  'DIGITAL_OCEAN_SPACES',
  'EVENTBRIDGE',
  'FIREHOSE',
  'GCS',
  'GCS_DATALAKE',
  'GOOGLEPUBSUB',
  'GOOGLESHEETS',
  'KAFKA',
  'KINESIS',
  'MINIO',
  'MSSQL',
  'NATS',
  'PERSONALIZE',
  'POSTGRES',
  'REDIS',
  'RS',
  'S3',
  'S3_DATALAKE',
  'SNOWFLAKE',
]);

export const deliversThroughDataPlane = (name: string): boolean => DATA_PLANE_KINDS.has(name);
