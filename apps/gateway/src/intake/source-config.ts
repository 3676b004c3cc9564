import { Injectable } from '@nestjs/common';
import type { DestinationDefinition, DestinationRecord, JsonObject, SourceRecord } from '@weir/contracts';
import { InventoryMirror } from '@weir/inventory';
import { Slices } from '@weir/messaging';
import { destinationAad, Sealer } from '@weir/service-kit';
import type { z } from 'zod';
import { DefinitionCatalog } from '../inventory/definition.catalog.js';
import type { SourceConfig } from './intake.schemas.js';
import { SourceLookup } from './source-lookup.js';

/**
 * Configuration keys that browsers need to decide whether to send to a destination. An allow list, because write keys are public:
 * other keys that are not secret, like addresses and bucket names, must stay hidden too.
 */
const PUBLIC_KEYS = [
  'connectionMode',
  'useNativeSDK',
  'useNativeSDKToSend',
  'eventFilteringOption',
  'whitelistedEvents',
  'blacklistedEvents',
  'consentManagement',
  'oneTrustCookieCategories',
  'ketchConsentPurposes',
] as const;

/**
 * Most bytes of destinations in an answer, because anybody may ask with a public key, and pages ask at each visit. An SDK uses
 * no destination that it does not see.
 */
const DESTINATIONS_BYTES_MAX = 262_144;

const NO_STATS = { errors: { enabled: false }, metrics: { enabled: false } } as const;

type Shown = z.output<typeof SourceConfig>;
type ShownDestination = Shown['source']['destinations'][number];

/** Tells a browser SDK about its source and the enabled destinations. */
@Injectable()
export class SourceConfigService {
  /** Keyed by record: a changed destination has a new record. */
  private readonly configs = new WeakMap<DestinationRecord, JsonObject>();

  constructor(
    private readonly sources: SourceLookup,
    private readonly inventory: InventoryMirror,
    private readonly catalog: DefinitionCatalog,
    private readonly sealer: Sealer,
  ) {}

  /** Throws the refusal of an unknown key. Shows a disabled source as disabled, so that the SDK sends nothing. */
  async of(key: string): Promise<Shown> {
    const source = await this.sources.find(key);
    const { id, name, writeKey, workspaceId, enabled, type } = source;
    const destinations = enabled ? await this.shownOf(source) : [];
    return {
      source: {
        ...{ id, name, writeKey, workspaceId, enabled },
        config: { statsCollection: NO_STATS },
        sourceDefinition: { name: type },
        destinations,
      },
    };
  }

  /** In order of connection, as many as fit. */
  private async shownOf(source: SourceRecord): Promise<ShownDestination[]> {
    const shown: ShownDestination[] = [];
    const slices = new Slices();
    let bytes = 0;
    for (const destination of this.destinationsOf(source)) {
      const one = await this.show(destination);
      bytes += Buffer.byteLength(JSON.stringify(one));
      if (bytes > DESTINATIONS_BYTES_MAX) break;
      shown.push(one);
      if (slices.isOver) await slices.next();
    }
    return shown;
  }

  private destinationsOf({ id, workspaceId }: SourceRecord): DestinationRecord[] {
    return this.inventory
      .connectionsOf(id)
      .filter(({ enabled }) => enabled)
      .map(({ destinationId }) => this.inventory.destination(destinationId))
      .filter((destination) => destination !== undefined)
      .filter((destination) => destination.enabled && destination.workspaceId === workspaceId);
  }

  /** Falls back to the kind's name if its definition is unavailable. Data sent to Weir does not depend on the definition. */
  private async show(destination: DestinationRecord): Promise<ShownDestination> {
    const { id, name, type } = destination;
    const definition = await this.catalog.find(type).catch(() => undefined);
    const config = this.publicConfigOf(destination);
    return {
      ...{ id, name, enabled: true as const },
      config: { connectionMode: modeOf(definition), ...withoutSecrets(config, definition) },
      destinationDefinition: { name: type, displayName: definition?.displayName ?? type },
    };
  }

  private publicConfigOf(destination: DestinationRecord): JsonObject {
    const known = this.configs.get(destination);
    if (known) return known;
    const config = this.sealer.open(destination.sealedConfig, destinationAad(destination));
    const shown = Object.fromEntries(PUBLIC_KEYS.flatMap((key) => (key in config ? [[key, config[key]]] : [])));
    this.configs.set(destination, shown);
    return shown;
  }
}

const modeOf = (definition: DestinationDefinition | undefined) =>
  definition?.config.supportedConnectionModes['web']?.[0] ?? 'cloud';

/** A kind may declare any of its keys secret. */
function withoutSecrets(config: JsonObject, definition: DestinationDefinition | undefined): JsonObject {
  const secrets = new Set(definition?.config.secretKeys.map((key) => key.split('.', 1)[0]));
  return Object.fromEntries(Object.entries(config).filter(([key]) => !secrets.has(key)));
}
