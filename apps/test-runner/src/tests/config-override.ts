import type { JsonObject } from '@weir/contracts';
import { type DestinationKind, withoutSecrets } from '@weir/destinations';

/**
 * The configuration of one test: what the caller gives over what is stored, key by key (spec 4.3 rule 5). An address of
 * another origin than the stored one gets no stored secret; the caller may bring secrets of its own (security-reliability
 * 3.2 point 8).
 */
export function overriddenConfig(kind: DestinationKind, stored: JsonObject, override: JsonObject = {}): JsonObject {
  const merged = { ...stored, ...override };
  const { addressKeys, secretKeys } = kind.definition.config;
  const isElsewhere = addressKeys.some((key) => addressOf(merged[key]) !== addressOf(stored[key]));
  return isElsewhere ? { ...withoutSecrets(stored, secretKeys), ...override } : merged;
}

const addressOf = (value: unknown): string | undefined =>
  typeof value === 'string' && URL.canParse(value) ? new URL(value).origin : JSON.stringify(value);
