import { AppError } from '@weir/contracts';

const UNIQUE_VIOLATION = '23505';

const PAIR_EXISTS =
  'Connection already exists for this source and destination pair. Use PUT /v2/connections/:id/external-id to set its externalId';
export const connectionExists = () => new AppError('conflict', PAIR_EXISTS);

/** Messages for violated constraints of `0002-create-inventory`. */
const MESSAGES: Record<string, string> = {
  sources_name: 'A source with this name already exists in the workspace',
  destinations_name: 'A destination with this name already exists in the workspace',
  destinations_external_id: 'A destination with this externalId already exists in the workspace',
  connections_pair: PAIR_EXISTS,
  connections_external_id: 'A connection with this externalId already exists in the workspace',
};

/** Converts a violated unique constraint to `conflict`. Returns other errors unchanged. */
export function asConflict(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, constraint }: { code?: unknown; constraint?: unknown } = Reflect.get(error, 'driverError') ?? {};
  if (code !== UNIQUE_VIOLATION || typeof constraint !== 'string') return error;
  return new AppError('conflict', MESSAGES[constraint] ?? 'It already exists', undefined, { cause: error });
}
