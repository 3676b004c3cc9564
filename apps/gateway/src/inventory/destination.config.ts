import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import {
  AppError,
  changedAddresses,
  invalidField,
  isEmptySecret,
  isJsonObject,
  type JsonObject,
  MASK,
  maskedConfig,
} from '@weir/contracts';
import { destinationAad, Sealer } from '@weir/service-kit';
import { seesSecrets, type Viewer } from '../http/principal.js';
import { refuseUnsafeKeys } from './config-schema.js';
import { DefinitionCatalog } from './definition.catalog.js';
import type { DestinationEntity } from './inventory.entity.js';

/**
 * As JSON, as Weir stores it. A body may be as large, but 1e20 becomes 21 digits. Sealed, it must fit one message of the broker (1 MiB),
 * because what does not fit would hold up the changes of every workspace.
 */
const CONFIG_BYTES_MAX = 262_144;

type Owner = Pick<DestinationEntity, 'id' | 'workspaceId' | 'type'>;
type Sealed = Pick<DestinationEntity, 'sealedConfig' | 'isComplete'>;

/** A configuration as a caller may see it. */
interface ShownConfig {
  config: JsonObject;
  /** Required settings that it lacks. */
  missing: string[];
}

/** Checks destination configurations on input, seals them at rest and masks them on output. */
@Injectable()
export class DestinationConfig {
  constructor(
    private readonly catalog: DefinitionCatalog,
    private readonly sealer: Sealer,
  ) {}

  /** Loads the definitions, so that a later transaction does not wait for another service. */
  async prepare(): Promise<void> {
    await this.catalog.list();
  }

  /**
   * Throws `invalid` naming the field. A mask in `config` stands for the value in `stored`, unless an address changed. A caller
   * who may not see a secret must not redirect it to an address of their own (ruling 29).
   */
  async seal(owner: Owner, config: JsonObject, stored: JsonObject = {}): Promise<Sealed> {
    const definition = await this.catalog.get(owner.type);
    refuseUnsafeKeys(config);
    const { secretKeys, addressKeys } = definition.config;
    const complete = restoreSecrets(config, stored, secretKeys);
    const moved = changedAddresses(complete, stored, addressKeys);
    if (moved.length > 0)
      refuseMasks(
        config,
        secretKeys,
        `${moved.join(', ')} changed, and stored secrets are never sent to another address`,
      );
    const bytes = Buffer.byteLength(JSON.stringify(complete));
    if (bytes > CONFIG_BYTES_MAX)
      throw new AppError(
        'too_large',
        `config has ${bytes} bytes as Weir stores it, and at most ${CONFIG_BYTES_MAX} fit`,
      );
    const isComplete = this.catalog.missingSettings(definition, complete).length === 0;
    return { sealedConfig: this.sealer.seal(complete, destinationAad(owner)), isComplete };
  }

  open(row: DestinationEntity): JsonObject {
    return this.sealer.open(row.sealedConfig, destinationAad(row));
  }

  /** The configuration as the viewer may see it. Masks everything if the type is no longer known. */
  async show(row: DestinationEntity, viewer: Viewer): Promise<ShownConfig> {
    const config = this.open(row);
    if (seesSecrets(viewer) && row.isComplete) return { config, missing: [] };
    const definition = await this.catalog.find(row.type);
    const missing = row.isComplete || !definition ? [] : this.catalog.missingSettings(definition, config);
    if (seesSecrets(viewer)) return { config, missing };
    return { config: maskedConfig(config, definition?.config.secretKeys ?? Object.keys(config)), missing };
  }
}

/**
 * Restores stored secrets where the caller sent back the mask. An array element keeps its secret if it is otherwise unchanged,
 * even if it moved. Throws `invalid` for a mask without a stored secret.
 */
export function restoreSecrets(next: JsonObject, stored: JsonObject, secretKeys: readonly string[]): JsonObject {
  const masked = maskedConfig(stored, secretKeys);
  const restored = secretKeys.reduce(
    (config, key) => restoreAt(config, stored, masked, key.split('.')) as JsonObject,
    next,
  );
  refuseMasks(restored, secretKeys);
  return restored;
}

/** Throws `invalid` naming the first secret that is a mask. */
export function refuseMasks(config: JsonObject, secretKeys: readonly string[], why?: string): void {
  for (const key of secretKeys) refuseMask(config, key.split('.'), 'config', why === undefined ? '' : ` (${why})`);
}

function restoreAt(next: unknown, stored: unknown, masked: unknown, [key, ...rest]: string[]): unknown {
  if (key === undefined) return next === MASK && !isEmptySecret(stored) ? stored : next;
  if (Array.isArray(next)) return restoreItems(next, stored, masked, [key, ...rest]);
  if (!isJsonObject(next) || !isJsonObject(stored) || !isJsonObject(masked) || !Object.hasOwn(next, key)) return next;
  return { ...next, [key]: restoreAt(next[key], stored[key], masked[key], rest) };
}

/** Uses each stored element at most once, because two equal masked headers may hide different secrets. */
function restoreItems(next: unknown[], stored: unknown, masked: unknown, path: string[]): unknown[] {
  if (!Array.isArray(stored) || !Array.isArray(masked)) return next;
  const free = new Set(stored.keys());
  return next.map((item, position) => {
    const candidates = [position, ...free].filter((index) => free.has(index));
    const index = candidates.find((candidate) => isDeepStrictEqual(masked[candidate], item));
    if (index === undefined) return item;
    free.delete(index);
    return restoreAt(item, stored[index], masked[index], path);
  });
}

function refuseMask(value: unknown, path: string[], at: string, why: string): void {
  const [key, ...rest] = path;
  if (key === undefined) {
    if (value !== MASK) return;
    throw invalidField(at, `is ${MASK}, which stands for a stored secret: send the secret itself${why}`);
  }
  if (Array.isArray(value)) value.forEach((item, index) => void refuseMask(item, path, `${at}.${index}`, why));
  else if (isJsonObject(value) && Object.hasOwn(value, key)) refuseMask(value[key], rest, `${at}.${key}`, why);
}
