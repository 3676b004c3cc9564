import { changedAddresses, type JsonObject, type SecretsLeftOut, secretValues, withoutSecrets } from '@weir/contracts';
import type { DestinationKind } from '@weir/destinations';

export interface Overridden {
  config: JsonObject;
  /** Set if stored secrets were left out. */
  leftOut?: SecretsLeftOut;
}

/**
 * The configuration of one test: the caller's values override the stored ones, key by key (spec 4.3 rule 5). If the override
 * leads to another address, or above the stored one, no stored secret is sent, whatever the role (ruling 29). The caller may
 * supply secrets.
 */
export function overriddenConfig(kind: DestinationKind, stored: JsonObject, override: JsonObject = {}): Overridden {
  const config = { ...stored, ...override };
  const { addressKeys, secretKeys } = kind.definition.config;
  const changed = changedAddresses(config, stored, addressKeys);
  if (changed.length === 0) return { config };
  const isLeft = (path: string) =>
    secretValues(stored, [path]).length > 0 && !Object.hasOwn(override, path.split('.')[0] ?? path);
  const keys = secretKeys.filter(isLeft);
  return {
    config: { ...withoutSecrets(stored, secretKeys), ...override },
    ...(keys.length > 0 && { leftOut: { changed, keys } }),
  };
}
