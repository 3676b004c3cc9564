import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { CreateRegulation, PlanRegulation, RecallRegulation, ReplyOf, RequestOf } from '@weir/contracts';
import { during, Slices, type Sql } from '@weir/messaging';
import { Database } from '@weir/service-kit';
import { AnswerLeases } from '../answers/answer-leases.js';
import { appendToTrail, writeTrail } from '../audit/audit.repository.js';
import { type BudgetCost, Budgets, costOf } from '../budget/budget.repository.js';
import { requestDeletion } from '../deletion/deletion.service.js';
import { Attributes, MatchKeys } from '../secrets/match-keys.js';
import { ALL_SOURCES, insertSuppressions } from '../suppression/suppression.repository.js';
import { Idempotency } from './idempotency.repository.js';
import { factOf, insertRegulations, type RegulationEntity } from './regulation.repository.js';
import { checkNewRegulation, matchIdOf, plannedDeletions } from './regulation.rules.js';

type NewRegulation = RequestOf<typeof CreateRegulation>;
type NewUser = Pick<RegulationEntity, 'id' | 'userKey' | 'attributes'>;

/** Creates regulations. */
@Injectable()
export class CreationService {
  constructor(
    private readonly dataSource: Database,
    private readonly keys: MatchKeys,
    private readonly attributes: Attributes,
    private readonly budgets: Budgets,
    private readonly idempotency: Idempotency,
    private readonly answers: AnswerLeases,
  ) {}

  /**
   * Creates one regulation per user, all or none. The regulation is in force once this resolves, because the filter reads what is
   * committed here, and no deliverer acts on an earlier answer any more.
   */
  async create(asked: NewRegulation): Promise<ReplyOf<typeof CreateRegulation>> {
    const created = await this.stored(distinct(asked));
    await this.answers.recall(asked.workspaceId);
    return created;
  }

  private async stored(request: NewRegulation): Promise<ReplyOf<typeof CreateRegulation>> {
    const cost = this.check(request);
    const { workspaceId, idempotency } = request;
    const users = await this.newUsers(request);
    const ids = users.map(({ id }) => id);
    return writeTrail(this.dataSource, workspaceId, async (sql) => {
      const known = idempotency && (await this.idempotency.recall(sql, workspaceId, idempotency));
      if (known) return { ids: known, replayed: true, budgets: await this.budgets.read(sql, workspaceId, cost) };
      const budgets = await this.budgets.draw(sql, workspaceId, cost);
      await store(sql, request, users);
      if (idempotency) await this.idempotency.keep(sql, workspaceId, idempotency, ids);
      const undeletable = plannedDeletions(request).filter(({ reason }) => reason !== undefined);
      return { ids, budgets, ...(undeletable.length > 0 && { undeletable }) };
    });
  }

  /**
   * Returns the ids that an earlier request with the same key created. That request may have ended before the answers were
   * recalled.
   */
  async recall({
    workspaceId,
    idempotency,
  }: RequestOf<typeof RecallRegulation>): Promise<ReplyOf<typeof RecallRegulation>> {
    const ids = await this.idempotency.recall(this.dataSource, workspaceId, idempotency);
    if (!ids) return {};
    await this.answers.recall(workspaceId);
    return { ids };
  }

  /** Describes what {@link create} would do. Stores nothing. */
  async plan(asked: NewRegulation): Promise<ReplyOf<typeof PlanRegulation>> {
    const request = distinct(asked);
    const cost = this.check(request);
    const budgets = await this.budgets.read(this.dataSource, request.workspaceId, cost);
    const covered = budgets.every(({ name, remaining }) => cost[name] <= remaining);
    return { cost, covered, budgets, destinations: plannedDeletions(request) };
  }

  /** Refuses a request that can never be stored, and returns the cost of any other. */
  private check(request: NewRegulation): BudgetCost {
    checkNewRegulation(request);
    const { users, sourceIds, destinations } = request;
    const sources = sourceIds?.length ?? 0;
    const cost = costOf({ users: users.length, sources, destinations: destinations.length });
    this.budgets.check(cost);
    return cost;
  }

  /** Works in slices, because it may encrypt thousands of users. */
  private newUsers({ workspaceId, users }: NewRegulation): Promise<NewUser[]> {
    return new Slices().map(users, (user) => this.newUser(workspaceId, user));
  }

  private newUser(workspaceId: string, user: NewRegulation['users'][number]): NewUser {
    const id = randomUUID();
    const userKey = this.keys.matchKey(workspaceId, matchIdOf(user));
    return { id, userKey, attributes: this.attributes.seal(user, { workspaceId, id }) };
  }
}

/** Removes duplicate sources and destinations. */
const distinct = (request: NewRegulation): NewRegulation => ({
  ...request,
  sourceIds: request.sourceIds && [...new Set(request.sourceIds)],
  destinations: [...new Map(request.destinations.map((destination) => [destination.id, destination])).values()],
});

async function store(sql: Sql, request: NewRegulation, users: NewUser[]): Promise<void> {
  const { workspaceId, regulationType, createdBy, sourceIds, destinations } = request;
  const isDeletion = regulationType === 'suppress_with_delete';
  const destinationIds = isDeletion ? destinations.map(({ id }) => id) : null;
  const regulations = { workspaceId, regulationType, sourceIds, destinationIds, createdBy, users };
  await during('regulation.store', () => insertRegulations(sql, regulations));
  const suppressions = suppressionsOf(users, sourceIds ?? [ALL_SOURCES]);
  await during('regulation.store', () => insertSuppressions(sql, suppressions));
  if (isDeletion) await requestDeletion(sql, { workspaceId, regulationIds: users.map(({ id }) => id), destinations });
  const details = { regulationType, sourceIds, destinationIds };
  const facts = users.map((user) => factOf('regulation.created', createdBy, user, details));
  await appendToTrail(sql, workspaceId, facts);
}

const suppressionsOf = (users: NewUser[], sourceIds: string[]) =>
  users.flatMap(({ id, userKey }) => sourceIds.map((sourceId) => ({ userKey, sourceId, regulationId: id })));
