import { Injectable } from '@nestjs/common';
import {
  AppError,
  type DestinationRecord,
  type DestinationTestResult,
  EVENT_BYTES_MAX,
  invalidField,
  isAppError,
  isJsonObject,
  type JsonObject,
  TEST_MESSAGES_MAX,
  TEST_SOURCE_CONCURRENCY,
  TEST_SOURCE_DESTINATIONS_MAX,
  TestDestination,
} from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { z } from 'zod';
import type { Principal } from '../../auth/principal.js';
import { requireTestRights } from '../../auth/roles.js';
import { parseBody } from '../../http/validate.js';
import { InventoryLookup } from '../../inventory/inventory.lookup.js';
import { refuseUnsafeKeys } from '../../inventory/unsafe-keys.js';
import { inParallel } from './in-parallel.js';
import { refusals, requireMessageType } from './test.refusals.js';
import { Expectations, type TestDestinationBody, type TestQuery, type TestSourceBody } from './test.schemas.js';

/** Area C. Checks run in this order: rights, message, then the tested object (wire-facts 3.2). */
@Injectable()
export class TestService {
  constructor(
    private readonly rpc: RpcClient,
    private readonly inventory: InventoryLookup,
  ) {}

  async testDestination(caller: Principal, id: string, body: TestDestinationBody, query: TestQuery) {
    const { destinationConfig: configOverride } = body;
    requireTestRights(caller.role, { ...body, force: query.force });
    refuseUnsafeKeys(configOverride, 'destinationConfig');
    const command = commandOf(caller, body, query);
    const destination = await this.inventory.destination(caller.workspaceId, id);
    return this.rpc.send(TestDestination, { ...command, destination, configOverride });
  }

  /** Tests all destinations connected to the source, in order of connection. */
  async testSource(caller: Principal, id: string, body: TestSourceBody, query: TestQuery) {
    requireTestRights(caller.role, { stage: body.stage, force: query.force });
    const command = commandOf(caller, body, query);
    const destinations = await this.connectedDestinations(caller.workspaceId, id, query.force);
    return inParallel(destinations, TEST_SOURCE_CONCURRENCY, (destination) =>
      this.rpc
        .send(TestDestination, { ...command, destination, sourceId: id })
        .catch((error: unknown) => failedElement(destination, error)),
    );
  }

  /** Ignores disabled connections unless forced. */
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

/** The fields that all tests of a request share. Several messages and `expect` require details. */
function commandOf(caller: Principal, body: TestSourceBody, { force, details }: TestQuery) {
  const { workspaceId, role, allowFetch, email } = caller;
  const command = { workspaceId, role, allowFetch, stage: body.stage, force };
  const isList = details && Array.isArray(body.message);
  const messages = isList ? [body.message].flat().map(eventOf) : [eventOf(body.message)];
  requireTestable(messages);
  const message = isList ? messages : eventOf(body.message);
  if (!details) return { ...command, message };
  const expect = body.expect === undefined ? undefined : expectationsOf(body.expect);
  return { ...command, message, details, expect, createdBy: email };
}

const eventOf = (message: unknown): JsonObject => (isJsonObject(message) ? message : {});
const expectationsOf = (given: unknown) => parseBody(z.object({ expect: Expectations }), { expect: given }).expect;

function requireTestable(messages: JsonObject[]): void {
  if (messages.length === 0 || messages.length > TEST_MESSAGES_MAX) {
    throw invalidField(
      'message',
      `must be one event or a list of 1 to ${TEST_MESSAGES_MAX}, and has ${messages.length}`,
    );
  }
  for (const message of messages) requireMessageType(message['type']);
  const bytes = messages.reduce((sum, message) => sum + Buffer.byteLength(JSON.stringify(message)), 0);
  if (bytes > EVENT_BYTES_MAX)
    throw new AppError('too_large', `message takes ${bytes} bytes: at most ${EVENT_BYTES_MAX} are allowed`);
}

/** If one destination cannot be tested, the results of the others remain. */
function failedElement({ id, name }: DestinationRecord, error: unknown): DestinationTestResult {
  if (!isAppError(error) || error.code === 'internal') throw error;
  return { destinationId: id, destinationName: name, error: error.message };
}
