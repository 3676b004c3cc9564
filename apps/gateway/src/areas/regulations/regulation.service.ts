import { Injectable } from '@nestjs/common';
import {
  AppError,
  CancelRegulation,
  CreateRegulation,
  GetRegulation,
  GetRegulationReceipt,
  type IdempotencyClaim,
  ListReceiptKeys,
  ListRegulations,
  type PlannedDeletion,
  PlanRegulation,
  REGULATION_USERS_MAX,
  RecallRegulation,
  type Regulation,
  type RegulationBudget,
  type ReplyOf,
} from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { Shared } from '@weir/service-kit';
import { nextPage } from '../../http/lists.js';
import type { Principal } from '../../http/principal.js';
import { InventoryLookup } from '../../inventory/inventory.lookup.js';
import { refuseWithHeaders } from './regulation.headers.js';
import type { CreateRegulationBody, RegulationsQuery } from './regulation.schemas.js';

/** How long callers join a question for the keys that has no answer yet. */
const KEYS_PATIENCE_MS = 5_000;

interface Created {
  records: Regulation[];
  budgets: RegulationBudget[];
  /** Destinations that cannot delete as they are. */
  undeletable: PlannedDeletion[];
  /** True if an earlier request with the same idempotency key made the records. */
  replayed: boolean;
}

function checkCount(users: readonly object[]): void {
  if (users.length <= REGULATION_USERS_MAX) return;
  throw new AppError('too_large', `users has ${users.length} items: send at most ${REGULATION_USERS_MAX} at a time`);
}

@Injectable()
export class RegulationService {
  private readonly keys = new Shared(() => this.rpc.send(ListReceiptKeys, {}), KEYS_PATIENCE_MS);

  constructor(
    private readonly rpc: RpcClient,
    private readonly inventory: InventoryLookup,
  ) {}

  /** Composes one record per user here. The service answers only ids, because thousands of users do not fit one message. */
  async create(caller: Principal, body: CreateRegulationBody, idempotency?: IdempotencyClaim): Promise<Created> {
    const { workspaceId } = caller;
    const { regulationType, users } = body;
    checkCount(users);
    // Before any lookup: later changes of a source or destination must not change a repeated answer.
    const known = idempotency && (await this.rpc.send(RecallRegulation, { workspaceId, idempotency })).ids;
    const made = known
      ? { ids: known, replayed: true }
      : await this.rpc
          .send(CreateRegulation, { ...(await this.requestOf(caller, body)), idempotency })
          .catch(refuseWithHeaders);
    const { ids, budgets = [], undeletable = [], replayed = false } = made as ReplyOf<typeof CreateRegulation>;
    const common = { workspaceId, canceled: false, regulationType };
    const records = ids.map((id, index) => ({ id, ...common, attributes: users[index] ?? {} }));
    return { records, budgets, undeletable, replayed };
  }

  /** The effect and cost of {@link create}. */
  async plan(caller: Principal, body: CreateRegulationBody) {
    checkCount(body.users);
    const plan = await this.rpc.send(PlanRegulation, await this.requestOf(caller, body));
    const destinations = await this.named(caller.workspaceId, plan.destinations);
    return { dryRun: true as const, users: body.users.length, ...plan, destinations };
  }

  private async requestOf({ workspaceId, email }: Principal, body: CreateRegulationBody) {
    return {
      workspaceId,
      createdBy: email,
      regulationType: body.regulationType,
      sourceIds: await this.sources(workspaceId, body),
      destinations: await this.destinations(workspaceId, body),
      users: body.users,
    };
  }

  /** The next page must use the same filters. */
  async list(workspaceId: string, { after_cursor: cursor, details, ...filter }: RegulationsQuery) {
    const { records, next } = await this.rpc.send(ListRegulations, { workspaceId, cursor, filter, details });
    return { data: records, paging: nextPage('/v2/regulations', next, { ...filter, details }) };
  }

  async get(workspaceId: string, id: string): Promise<ReplyOf<typeof GetRegulation>> {
    const { deletion, ...record } = await this.rpc.send(GetRegulation, { workspaceId, id });
    if (!deletion) return record;
    return { ...record, deletion: { ...deletion, destinations: await this.named(workspaceId, deletion.destinations) } };
  }

  /** With the names of destinations, which the role `privacy` cannot look up. A deleted destination has none. */
  private async named<T extends { destinationId: string }>(workspaceId: string, parts: T[]): Promise<T[]> {
    const ids = parts.map(({ destinationId }) => destinationId);
    const names = await this.inventory.destinationNames(workspaceId, ids);
    return parts.map((part) => {
      const name = names.get(part.destinationId);
      return name === undefined ? part : { ...part, name };
    });
  }

  receipt(workspaceId: string, id: string) {
    return this.rpc.send(GetRegulationReceipt, { workspaceId, id });
  }

  /** Anybody may ask. */
  receiptKeys() {
    return this.keys.get();
  }

  async cancel({ workspaceId, email }: Principal, id: string): Promise<void> {
    const askedAt = new Date().toISOString();
    await this.rpc.send(CancelRegulation, { workspaceId, id, canceledBy: email, askedAt });
  }

  /** Null means every source of the workspace, including future ones (spec 4.2 rule 2). */
  private async sources(workspaceId: string, { sourceIds }: CreateRegulationBody): Promise<string[] | null> {
    if (!sourceIds) return null;
    const unique = [...new Set(sourceIds)];
    await this.inventory.requireSources(workspaceId, 'sourceIds', unique);
    return unique;
  }

  /** Without ids: all destinations that exist now, including disabled ones (ruling 14). */
  private async destinations(workspaceId: string, { regulationType, destinationIds }: CreateRegulationBody) {
    if (regulationType === 'suppress') return [];
    return this.inventory.deletionTargets(workspaceId, destinationIds && [...new Set(destinationIds)]);
  }
}
