import { Injectable } from '@nestjs/common';
import { changedAddresses, type JsonObject, maskedConfig, type Role } from '@weir/contracts';
import { destinationAad, Sealer } from '@weir/service-kit';
import { seesSecrets } from '../auth/roles.js';
import { DefinitionCatalog } from './definition.catalog.js';
import type { DestinationRow } from './destination.repository.js';
import { refuseMasks, restoreSecrets } from './secrets.js';
import { refuseUnsafeKeys } from './unsafe-keys.js';

type Owner = Pick<DestinationRow, 'id' | 'workspaceId' | 'type'>;

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
  async seal(owner: Owner, config: JsonObject, stored: JsonObject = {}): Promise<string> {
    const definition = await this.catalog.get(owner.type);
    refuseUnsafeKeys(config);
    const { secretKeys, addressKeys } = definition.config;
    const complete = restoreSecrets(config, stored, secretKeys);
    const moved = changedAddresses(complete, stored, addressKeys);
    if (moved.length > 0)
      refuseMasks(config, secretKeys, `${moved.join(', ')} changed, and secrets stay where they were`);
    this.catalog.check(definition, complete);
    return this.sealer.seal(complete, destinationAad(owner));
  }

  open(row: DestinationRow): JsonObject {
    return this.sealer.open(row.sealedConfig, destinationAad(row));
  }

  /** The configuration as this role may see it. Masks everything if the type is no longer known. */
  async show(row: DestinationRow, role: Role): Promise<JsonObject> {
    const config = this.open(row);
    if (seesSecrets(role)) return config;
    const definition = await this.catalog.find(row.type);
    return maskedConfig(config, definition?.config.secretKeys ?? Object.keys(config));
  }
}
