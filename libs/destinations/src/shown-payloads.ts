import { randomBytes } from 'node:crypto';
import { isEmptySecret, isJsonObject, type JsonObject, MASK, mapSecrets } from '@weir/contracts';
import type { DestinationKind, Payload } from './kind.js';
import { objectOf } from './object-of.js';
import { restPayload } from './payload.js';
import { SecretMask } from './secret-mask.js';

/** Stands for each secret. Nobody knows it, so no event holds it; it has letters and digits only, as any vendor takes them. */
const STAND_IN = `weir${randomBytes(16).toString('hex')}`;
const STAND_IN_ADDRESS = `https://${STAND_IN}.invalid/`;
const standIns = new SecretMask([STAND_IN, STAND_IN_ADDRESS]);

/** What a destination would get if it had no secrets. */
export interface Twin {
  config: JsonObject;
  payloads: Payload[];
}

/**
 * The payloads of an event by a configuration in which stand-ins have the place of secrets. What is shown to others than admins
 * is made of these, so a secret cannot be in it, in whatever form a kind sends it. Undefined when a kind refuses stand-ins.
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

/** With `***` for every form of a stand-in. */
export const withoutStandIns = <T>(value: T): T => standIns.in(value);

/** Where there is no twin: everything but the frame of a payload is hidden. */
const UNKNOWN = restPayload({ method: MASK, endpoint: MASK });

/**
 * The payloads as others than admins see them: those that are sent, with `***` in each place that a secret has a part in. What
 * is shown of a value is always that of the twin, so nothing is that depends on a secret.
 */
export const shownPayloads = (payloads: readonly Payload[], twin: Twin | undefined): Payload[] =>
  payloads.map((payload, index) => shown(payload, twin?.payloads[index] ?? UNKNOWN) as Payload);

/** What is the same in both has no secret in it: parts of an event are the very same, however large. */
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

/** Null and nothing are no secrets. */
const hidden = (value: unknown) => (value === null || value === undefined ? value : MASK);
