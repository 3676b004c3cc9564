import { createHash } from 'node:crypto';
import { type IdempotencyClaim, invalidField } from '@weir/contracts';
import { z } from 'zod';
import type { CreateRegulationBody } from './regulation.schemas.js';

/** Documents the header. */
export const IdempotencyKeyHeader = z.object({
  'Idempotency-Key': z.string().max(255).optional().meta({ description: 'Names the request for 24 hours' }),
});

const KEY = /^[\x21-\x7e]{1,255}$/;

/** Undefined without a key. Throws `invalid` unless the key is visible ASCII. The message does not repeat the key. */
export function idempotencyClaim(key: string | undefined, body: CreateRegulationBody): IdempotencyClaim | undefined {
  if (key === undefined) return undefined;
  if (!KEY.test(key)) throw invalidField('Idempotency-Key', 'must be 1 to 255 visible ASCII characters');
  return { key, fingerprint: fingerprintOf(body) };
}

/** Equal for bodies with the same meaning. Takes the validated body and ignores the order of the users' keys. */
function fingerprintOf({ regulationType, sourceIds, destinationIds, users }: CreateRegulationBody): string {
  const sorted = users.map((user) => Object.entries(user).sort(([a], [b]) => (a < b ? -1 : 1)));
  const fields = [regulationType, sourceIds ?? null, destinationIds ?? null, sorted];
  return createHash('sha256').update(JSON.stringify(fields)).digest('base64url');
}
