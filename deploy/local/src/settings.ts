/** Variables of the machine that a Node process may need. None is a secret. */
export const SYSTEM_VARIABLES = ['PATH', 'TMPDIR', 'TZ', 'LANG', 'NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS'] as const;

/**
 * OpenTelemetry's own variables, for every process except the supervisor of user code, which has no network access. The first one
 * sets the destination of traces.
 */
export const TRACE_SETTINGS = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_BSP_SCHEDULE_DELAY',
  'OTEL_RESOURCE_ATTRIBUTES',
] as const;

/** Settings of the migration step, which every app with tables has. */
export const MIGRATION_SETTINGS = ['STREAM_REPLICAS', 'STREAM_BYTES_MAX', 'ARCHIVE_BUCKET'] as const;

/** Settings of the archive. With a bucket there is an archiver, and without one there is no archive. */
export const ARCHIVE_SETTINGS: readonly string[] = [
  'ARCHIVE_BUCKET',
  'ARCHIVE_ENDPOINT',
  'ARCHIVE_REGION',
  'ARCHIVE_ACCESS_KEY_ID',
  'ARCHIVE_SECRET_ACCESS_KEY',
  'ARCHIVE_PREFIX',
  'ARCHIVE_RETENTION_DAYS',
  'ARCHIVE_SEGMENT_MS',
];

/**
 * Settings of each app that the operator may override, named as in its `config.ts`. Omits those that the launcher sets itself
 * (URLs, keys, credentials, ports). A test compares this table with the apps.
 */
export const SETTINGS: Record<string, readonly string[]> = {
  gateway: [
    'GATEWAY_PLANES',
    'TRUSTED_PROXIES',
    'KEYS_END',
    'CONSOLE_ENABLED',
    'CONSOLE_DIR',
    'CONSOLE_URL',
    'OIDC_ISSUER',
    'OIDC_CLIENT_ID',
    'OIDC_CLIENT_SECRET',
    'OIDC_GROUPS_CLAIM',
    'OIDC_GRANTS',
    'INTAKE_SOURCE_EVENTS_PER_SECOND',
    'INTAKE_SOURCE_BYTES_PER_SECOND',
    'INTAKE_WORKSPACE_EVENTS_PER_SECOND',
    'INTAKE_WORKSPACE_BYTES_PER_SECOND',
    'DATABASE_POOL_MAX',
    'DATABASE_DURABILITY',
    'NODE_ENV',
  ],
  'transformation-registry': ['DATABASE_POOL_MAX', 'DATABASE_DURABILITY'],
  'regulation-service': [
    'DATABASE_POOL_MAX',
    'DATABASE_DURABILITY',
    'REGULATION_SUPPRESSION_TOKENS_PER_HOUR',
    'REGULATION_DELETION_TOKENS_PER_HOUR',
    'REGULATION_RECEIPT_RETIRED_KEYS',
    'EGRESS_NAME_SERVERS',
  ],
  'test-runner': ['DATABASE_POOL_MAX', 'DATABASE_DURABILITY', 'EGRESS_NAME_SERVERS'],
  'delivery-service': [
    'DATABASE_POOL_MAX',
    'DATABASE_DURABILITY',
    'DELIVERY_CONCURRENCY_MAX',
    'DELIVERY_RETRY_MAX_MS',
    'DEAD_LETTER_DAY_BYTES',
    'TRACES_PER_SECOND',
    'SMTP_URL',
    'SMTP_FROM',
    ...ARCHIVE_SETTINGS,
    'EGRESS_NAME_SERVERS',
  ],
  'schema-service': [
    'DATABASE_POOL_MAX',
    'DATABASE_DURABILITY',
    'SCHEMA_NEW_SOURCE_SAMPLES',
    'SCHEMA_MODELS_PER_WRITE_KEY_MAX',
    'SCHEMA_VERSIONS_PER_MODEL_MAX',
    'SCHEMA_WORKSPACE_BYTES_MAX',
  ],
  'code-sandbox': [
    'SANDBOX_CHILDREN',
    'SANDBOX_CHILDREN_SOCKET',
    'SANDBOX_DISABLED',
    'SANDBOX_DISABLED_WORKSPACES',
    'NODE_ENV',
  ],
};
