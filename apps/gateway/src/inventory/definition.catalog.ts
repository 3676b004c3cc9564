import { Injectable, Logger, Module } from '@nestjs/common';
import { type DestinationDefinition, invalidField, type JsonObject, ListDefinitions } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { compileSettings, type SettingsCheck } from '@weir/settings';
import { missingSettings } from './config-schema.js';

/** Definitions change only with a release of Weir. This bounds how long a gateway lags behind a new test runner. */
const FRESH_MS = 30_000;
/** An unknown type triggers a new request, because the runner may be newer. This is the minimum interval. */
const ASK_AGAIN_MS = 1_000;
/** More pages than this mean that the runner repeats itself. */
const PAGES_MAX = 100;

interface Snapshot {
  byName: Map<string, DestinationDefinition>;
  at: number;
}

/** The destination kinds that the test runner knows. Serves the last answer while the runner is away. */
@Injectable()
export class DefinitionCatalog {
  private readonly logger = new Logger(DefinitionCatalog.name);
  private readonly checks = new WeakMap<DestinationDefinition, SettingsCheck>();
  private snapshot: Snapshot | undefined;
  private asking: Promise<Snapshot> | undefined;

  constructor(private readonly rpc: RpcClient) {}

  async list(): Promise<DestinationDefinition[]> {
    const { byName } = await this.current(FRESH_MS);
    return [...byName.values()];
  }

  /** Undefined if the runner does not know the kind either. */
  async find(name: string): Promise<DestinationDefinition | undefined> {
    const found = (await this.current(FRESH_MS)).byName.get(name);
    return found ?? (await this.current(ASK_AGAIN_MS)).byName.get(name);
  }

  /** Throws `invalid` naming the field. */
  async get(type: string): Promise<DestinationDefinition> {
    const definition = await this.find(type);
    if (!definition) throw invalidField('type', `${type} is not a destination type`);
    return definition;
  }

  /** The required settings that are missing. Throws `invalid` if others do not match the definition. */
  missingSettings(definition: DestinationDefinition, config: JsonObject): string[] {
    const known = this.checks.get(definition) ?? compileSettings(definition.configSchema);
    this.checks.set(definition, known);
    return missingSettings(known, config);
  }

  private async current(maxAgeMs: number): Promise<Snapshot> {
    if (this.snapshot && Date.now() - this.snapshot.at < maxAgeMs) return this.snapshot;
    this.asking ??= this.ask().finally(() => {
      this.asking = undefined;
    });
    try {
      return await this.asking;
    } catch (error) {
      if (!this.snapshot) throw error;
      this.logger.warn(
        `cannot read definitions, so those of ${new Date(this.snapshot.at).toISOString()} stay: ${(error as Error).message}`,
      );
      return this.snapshot;
    }
  }

  private async ask(): Promise<Snapshot> {
    const byName = new Map<string, DestinationDefinition>();
    let after: string | undefined;
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const reply = await this.rpc.send(ListDefinitions, after === undefined ? {} : { after });
      for (const definition of reply.definitions) byName.set(definition.name, definition);
      if (reply.next === undefined) break;
      after = reply.next;
    }
    this.snapshot = { byName, at: Date.now() };
    return this.snapshot;
  }
}

/** Destination kinds for both planes. `InventoryModule` has their routes. */
@Module({ providers: [DefinitionCatalog], exports: [DefinitionCatalog] })
export class DefinitionsModule {}
