import { Injectable } from '@nestjs/common';
import { changedAddresses, type JsonObject, maskedConfig, type Role } from '@weir/contracts';
import { destinationAad, Sealer } from '@weir/service-kit';
import { seesSecrets } from '../auth/roles.js';
import { DefinitionCatalog } from './definition.catalog.js';
import type { DestinationRow } from './destination.repository.js';
import { refuseMasks, restoreSecrets } from './secrets.js';
import { refuseUnsafeKeys } from './unsafe-keys.js';

type Owner = Pick<DestinationRow, 'id' | 'workspaceId' | 'type'>;

/** Configurations of destinations: checked on their way in, sealed at rest, masked on their way out. */
@Injectable()
export class DestinationConfig {
  constructor(
    private readonly catalog: DefinitionCatalog,
    private readonly sealer: Sealer,
  ) {}

  /** Asks for the definitions, so that a transaction that is open later does not wait for another service. */
  async prepare(): Promise<void> {
    await this.catalog.list();
  }

  /**
   * Throws `invalid` naming the field. `stored` is what a mask in `config` stands for, unless the configuration leads elsewhere:
   * whoever may not see a secret must not have it sent to an address of their own either (ruling 29).
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

  /** As this role may see it. Of a type that is not known any more, nothing is shown. */
  async show(row: DestinationRow, role: Role): Promise<JsonObject> {
    const config = this.open(row);
    if (seesSecrets(role)) return config;
    const definition = await this.catalog.find(row.type);
    return maskedConfig(config, definition?.config.secretKeys ?? Object.keys(config));
  }
}
