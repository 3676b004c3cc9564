import { type ArgumentsHost, Catch, type ExceptionFilter, Injectable } from '@nestjs/common';
import {
  AppError,
  type DestinationRecord,
  type DestinationTestResult,
  EVENT_BYTES_MAX,
  invalidField,
  isAppError,
  isJsonObject,
  type JsonObject,
  MESSAGE_TYPES,
  TEST_MESSAGES_MAX,
  TEST_SOURCE_CONCURRENCY,
  TEST_SOURCE_DESTINATIONS_MAX,
  TestDestination,
} from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import pLimit from 'p-limit';
import { z } from 'zod';
import { type Principal, requireTestRights, seesSecrets } from '../../http/principal.js';
import type { Reply } from '../../http/request.js';
import { parseBody } from '../../http/validate.js';
import { refuseUnsafeKeys } from '../../inventory/config-schema.js';
import { InventoryLookup } from '../../inventory/inventory.lookup.js';
import { suppressedMessages } from './suppressed-messages.js';
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
    // no source has the id of a destination, so only suppressions for all sources count
    const suppressed = await this.suppressed(command, id);
    return this.rpc.send(TestDestination, { ...command, destination, configOverride, suppressed });
  }

  /** Tests all destinations connected to the source, in order of connection. */
  async testSource(caller: Principal, id: string, body: TestSourceBody, query: TestQuery) {
    requireTestRights(caller.role, { stage: body.stage, force: query.force });
    const command = commandOf(caller, body, query);
    const { name, type, enabled } = await this.inventory.source(caller.workspaceId, id);
    if (!enabled && !query.force) throw refusals.sourceDisabled(id);
    const destinations = await this.connectedDestinations(caller.workspaceId, id, query.force);
    const source = { sourceId: id, source: { name, type } };
    const suppressed = await this.suppressed(command, id);
    return pLimit(TEST_SOURCE_CONCURRENCY).map(destinations, (destination) =>
      this.rpc
        .send(TestDestination, { ...command, destination, ...source, suppressed })
        .catch((error: unknown) => failedElement(destination, error)),
    );
  }

  private suppressed({ workspaceId, message, stage }: ReturnType<typeof commandOf>, sourceId: string) {
    return suppressedMessages(this.rpc, [message].flat(), { workspaceId, sourceId, isSent: stage.send_to_destination });
  }

  /** Ignores disabled connections unless forced. */
  private async connectedDestinations(workspaceId: string, id: string, force: boolean): Promise<DestinationRecord[]> {
    const ids = await this.inventory.connectedTo(workspaceId, id, { disabled: force });
    if (ids.length === 0) throw refusals.sourceUnconnected(id);
    if (ids.length > TEST_SOURCE_DESTINATIONS_MAX) {
      const limit = `more than ${TEST_SOURCE_DESTINATIONS_MAX} destinations`;
      throw new AppError('invalid', `The source is connected to ${limit}: test them one by one with testDestination`);
    }
    return this.inventory.destinationsWith(workspaceId, ids);
  }
}

/** The fields that all tests of a request share. Several messages and `expect` require details. */
function commandOf(caller: Principal, body: TestSourceBody, { force, details }: TestQuery) {
  const { workspaceId, allowFetch, email } = caller;
  // The test runner shows secrets to admins alone, so for it a session that may not see them is no admin.
  const role = caller.role === 'admin' && !seesSecrets(caller) ? 'write' : caller.role;
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

/** A refusal whose whole body must be exactly `{message}` (spec section 7, wire-facts 3.2). */
export class TestRefusal extends Error {
  override readonly name = 'TestRefusal';
}

export const refusals = {
  typeMissing: () => new TestRefusal('message type missing or invalid'),
  typeUnsupported: () => new TestRefusal('message type is unsupported'),
  sourceDisabled: (id: string) => new TestRefusal(`Source with ${id} is disabled`),
  sourceUnconnected: (id: string) => new TestRefusal(`Source with ${id} is not connected to any destination`),
};

@Catch(TestRefusal)
export class TestRefusalFilter implements ExceptionFilter<TestRefusal> {
  catch({ message }: TestRefusal, host: ArgumentsHost): void {
    void host.switchToHttp().getResponse<Reply>().status(400).send({ message });
  }
}

/** The comparison is exact: `Identify` is unsupported (ruling 21). */
export function requireMessageType(type: unknown): void {
  if (typeof type !== 'string') throw refusals.typeMissing();
  if (!MESSAGE_TYPES.some((supported) => supported === type)) throw refusals.typeUnsupported();
}
