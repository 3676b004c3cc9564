import { createHash } from 'node:crypto';
import { type IdempotencyClaim, invalidField } from '@weir/contracts';
import { z } from 'zod';
import type { CreateRegulationBody } from './regulation.schemas.js';

/** As the document shows it. */
export const IdempotencyKeyHeader = z.object({
  'Idempotency-Key': z.string().max(255).optional().meta({ description: 'Names the request for 24 hours' }),
});

const KEY = /^[\x21-\x7e]{1,255}$/;

/** Undefined without a key. Throws `invalid` for one that is no plain text; it is not repeated in the message. */
export function idempotencyClaim(key: string | undefined, body: CreateRegulationBody): IdempotencyClaim | undefined {
  if (key === undefined) return undefined;
  if (!KEY.test(key)) throw invalidField('Idempotency-Key', 'must be 1 to 255 visible ASCII characters');
  return { key, fingerprint: fingerprintOf(body) };
}

/** Equal for bodies that mean the same: after validation, whatever the order of their keys was. */
function fingerprintOf({ regulationType, sourceIds, destinationIds, users }: CreateRegulationBody): string {
  const sorted = users.map((user) => Object.entries(user).sort(([a], [b]) => (a < b ? -1 : 1)));
  const fields = [regulationType, sourceIds ?? null, destinationIds ?? null, sorted];
  return createHash('sha256').update(JSON.stringify(fields)).digest('base64url');
}
