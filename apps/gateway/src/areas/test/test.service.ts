import { Injectable } from '@nestjs/common';
import {
  AppError,
  type DestinationRecord,
  type DestinationTestResult,
  EVENT_BYTES_MAX,
  isAppError,
  type JsonObject,
  TEST_SOURCE_CONCURRENCY,
  TEST_SOURCE_DESTINATIONS_MAX,
  TestDestination,
} from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import type { Principal } from '../../auth/principal.js';
import { requireTestRights } from '../../auth/roles.js';
import { InventoryLookup } from '../../inventory/inventory.lookup.js';
import { refuseUnsafeKeys } from '../../inventory/unsafe-keys.js';
import { inParallel } from './in-parallel.js';
import { refusals, requireMessageType } from './test.refusals.js';
import type { TestDestinationBody, TestSourceBody } from './test.schemas.js';

/** Area C. What is wrong is said in this order: rights, message, then what is to be tested (wire-facts 3.2). */
@Injectable()
export class TestService {
  constructor(
    private readonly rpc: RpcClient,
    private readonly inventory: InventoryLookup,
  ) {}

  async testDestination(caller: Principal, id: string, body: TestDestinationBody, force: boolean) {
    const { message, stage, destinationConfig: configOverride } = body;
    requireTestRights(caller.role, { ...body, force });
    refuseUnsafeKeys(configOverride, 'destinationConfig');
    requireTestable(message);
    const { workspaceId, role } = caller;
    const destination = await this.inventory.destination(workspaceId, id);
    return this.rpc.send(TestDestination, { workspaceId, role, destination, configOverride, message, stage, force });
  }

  /** For each destination that the source is connected to, in order of connection. */
  async testSource(caller: Principal, id: string, { message, stage }: TestSourceBody, force: boolean) {
    requireTestRights(caller.role, { stage, force });
    requireTestable(message);
    const { workspaceId, role } = caller;
    const destinations = await this.connectedDestinations(workspaceId, id, force);
    return inParallel(destinations, TEST_SOURCE_CONCURRENCY, (destination) =>
      this.rpc
        .send(TestDestination, { workspaceId, role, destination, message, stage, force, sourceId: id })
        .catch((error: unknown) => failedElement(destination, error)),
    );
  }

  /** A disabled connection is none, unless it is forced. */
  private async connectedDestinations(workspaceId: string, id: string, force: boolean): Promise<DestinationRecord[]> {
    const { enabled } = await this.inventory.source(workspaceId, id);
    if (!enabled && !force) throw refusals.sourceDisabled(id);
    const all = await this.inventory.destinationsOf(workspaceId, id);
    const destinations = all.filter(({ connected }) => connected || force).map(({ destination }) => destination);
    if (destinations.length === 0) throw refusals.sourceUnconnected(id);
    if (destinations.length > TEST_SOURCE_DESTINATIONS_MAX) {
      const limit = `more than ${TEST_SOURCE_DESTINATIONS_MAX} destinations`;
      throw new AppError('invalid', `The source is connected to ${limit}: test them one by one with testDestination`);
    }
    return destinations;
  }
}

function requireTestable(message: JsonObject): void {
  requireMessageType(message['type']);
  if (Buffer.byteLength(JSON.stringify(message)) > EVENT_BYTES_MAX) {
    throw new AppError('too_large', `message takes more than ${EVENT_BYTES_MAX} bytes`);
  }
}

/** One destination that could not be tested leaves the results of the others. */
function failedElement({ id, name }: DestinationRecord, error: unknown): DestinationTestResult {
  if (!isAppError(error) || error.code === 'internal') throw error;
  return { destinationId: id, destinationName: name, error: error.message };
}
