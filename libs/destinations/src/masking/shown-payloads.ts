import { randomBytes } from 'node:crypto';
import { isEmptySecret, isJsonObject, type JsonObject, MASK, mapSecrets } from '@weir/contracts';
import type { DestinationKind, Payload } from '../kind.js';
import { objectOf } from '../toolkit/objects.js';
import { restPayload } from '../toolkit/request.js';
import { SecretMask } from './secret-mask.js';

/** Replaces each secret. Random, so that no event contains it. Has only letters and digits, which any vendor accepts. */
const STAND_IN = `weir${randomBytes(16).toString('hex')}`;
const STAND_IN_ADDRESS = `https://${STAND_IN}.invalid/`;
const standIns = new SecretMask([STAND_IN, STAND_IN_ADDRESS]);

/** The payloads that a destination would get if it had no secrets. */
export interface Twin {
  config: JsonObject;
  payloads: Payload[];
}

/**
 * Transforms an event with stand-ins in place of the secrets. Only admins see the real payloads, everybody else sees values from
 * these. So a secret cannot appear, however a kind encodes it. Undefined when a kind refuses the stand-ins.
 */
export function twinOf(kind: DestinationKind, event: JsonObject, config: JsonObject): Twin | undefined {
  const twin = mapSecrets(config, kind.definition.config.secretKeys, standInFor);
  try {
    return { config: twin, payloads: kind.transform(event, twin) };
  } catch {
    return undefined;
  }
}

function standInFor(secret: unknown): unknown {
  if (isEmptySecret(secret)) return secret;
  return typeof secret === 'string' && /^\s*https?:\/\//i.test(secret) ? STAND_IN_ADDRESS : STAND_IN;
}

/** Replaces every form of a stand-in with `***`. */
export const withoutStandIns = <T>(value: T): T => standIns.in(value);

/** Used without a twin. Hides everything except the frame of a payload. */
const UNKNOWN = restPayload({ method: MASK, endpoint: MASK });

/**
 * The sent payloads as non-admins see them, with `***` wherever a secret contributes. Every shown value comes from the twin, so
 * none depends on a secret.
 */
export const shownPayloads = (payloads: readonly Payload[], twin: Twin | undefined): Payload[] =>
  payloads.map((payload, index) => shown(payload, twin?.payloads[index] ?? UNKNOWN) as Payload);

/** Equal values contain no secret. Parts of an event are identical objects, so the comparison is fast even for large ones. */
function shown(value: unknown, twin: unknown): unknown {
  if (value === twin) return value;
  if (Array.isArray(value)) {
    const items = Array.isArray(twin) ? twin : [];
    return value.map((item, index) => shown(item, items[index]));
  }
  if (isJsonObject(value)) {
    const known = isJsonObject(twin) ? twin : {};
    return objectOf(
      Object.entries(value).map(([key, inner]) =>
        Object.hasOwn(known, key) ? [key, shown(inner, known[key])] : [MASK, shown(inner, undefined)],
      ),
    );
  }
  return typeof twin === 'object' || twin === undefined ? hidden(value) : withoutStandIns(twin);
}

/** Null and undefined are not secrets. */
const hidden = (value: unknown) => (value === null || value === undefined ? value : MASK);
