import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { CreateRegulation, PlanRegulation, RecallRegulation, ReplyOf, RequestOf } from '@weir/contracts';
import { during, outboxAdd, Slices, type Sql } from '@weir/messaging';
import { DataSource } from 'typeorm';
import { appendToTrail, lockTrail } from '../audit/audit.repository.js';
import { type BudgetCost, costOf } from '../budget/budget.rules.js';
import { Budgets } from '../budget/budgets.js';
import { DELETION_REQUESTED_SUBJECT } from '../deletion/deletion.facts.js';
import { INTERNAL, INTERNAL_PURGES } from '../deletion/internal.js';
import { insertTasks, type NewTasks } from '../deletion/task.repository.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { Pepper } from '../secrets/pepper.js';
import { ALL_SOURCES, insertSuppressions } from '../suppression/suppression.repository.js';
import { Attributes } from './attributes.js';
import { plannedDeletions } from './plan.rules.js';
import { factOf } from './record.audit.js';
import { insertRecords, type RecordRow } from './record.repository.js';
import { checkNewRegulation, matchIdOf } from './record.rules.js';

type NewRegulation = RequestOf<typeof CreateRegulation>;
type NewUser = Pick<RecordRow, 'id' | 'userKey' | 'attributes'>;

/** Creates regulations. */
@Injectable()
export class CreationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pepper: Pepper,
    private readonly attributes: Attributes,
    private readonly budgets: Budgets,
    private readonly idempotency: Idempotency,
  ) {}

  /**
   * Creates one record per user, all or none. The regulation is in force once this resolves, because the filter reads what is
   * committed here.
   */
  async create(asked: NewRegulation): Promise<ReplyOf<typeof CreateRegulation>> {
    const request = distinct(asked);
    const cost = this.check(request);
    const { workspaceId, idempotency } = request;
    const users = await this.newUsers(request);
    const ids = users.map(({ id }) => id);
    return this.dataSource.transaction(async (sql) => {
      await lockTrail(sql, workspaceId);
      const known = idempotency && (await this.idempotency.recall(sql, workspaceId, idempotency));
      if (known) return { ids: known, replayed: true, budgets: await this.budgets.read(sql, workspaceId, cost) };
      const budgets = await this.budgets.draw(sql, workspaceId, cost);
      await store(sql, request, users);
      if (idempotency) await this.idempotency.keep(sql, workspaceId, idempotency, ids);
      return { ids, budgets };
    });
  }

  /** Returns the ids that an earlier request with the same key created. */
  async recall({
    workspaceId,
    idempotency,
  }: RequestOf<typeof RecallRegulation>): Promise<ReplyOf<typeof RecallRegulation>> {
    const ids = await this.idempotency.recall(this.dataSource, workspaceId, idempotency);
    return ids ? { ids } : {};
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
    const cost = costOf({ users: request.users.length, destinations: request.destinations.length });
    this.budgets.check(cost);
    return cost;
  }

  /** Works in slices, because it may encrypt thousands of users. */
  private async newUsers({ workspaceId, users }: NewRegulation): Promise<NewUser[]> {
    const slices = new Slices();
    const made: NewUser[] = [];
    for (const user of users) {
      if (slices.isOver) await slices.next();
      made.push(this.newUser(workspaceId, user));
    }
    return made;
  }

  private newUser(workspaceId: string, user: NewRegulation['users'][number]): NewUser {
    const id = randomUUID();
    const userKey = this.pepper.matchKey(workspaceId, matchIdOf(user));
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
  const records = { workspaceId, regulationType, sourceIds, destinationIds, createdBy, users };
  await during('regulation.store', () => insertRecords(sql, records));
  const suppressions = suppressionsOf(users, sourceIds ?? [ALL_SOURCES]);
  await during('regulation.store', () => insertSuppressions(sql, suppressions));
  if (isDeletion) await requestDeletion(sql, { workspaceId, regulationIds: users.map(({ id }) => id), destinations });
  const details = { regulationType, sourceIds, destinationIds };
  const facts = users.map((user) => factOf('regulation.created', createdBy, user, details));
  await appendToTrail(sql, workspaceId, facts);
}

/** Inserts tasks for the destinations and for the data that Weir itself keeps. Announces them once this is committed. */
async function requestDeletion(sql: Sql, { destinations, ...rest }: NewTasks): Promise<void> {
  const internal = Object.keys(INTERNAL_PURGES).map((id) => ({ id, type: INTERNAL }));
  await insertTasks(sql, { ...rest, destinations: [...destinations, ...internal] });
  await outboxAdd(sql, DELETION_REQUESTED_SUBJECT, { workspaceId: rest.workspaceId });
}

const suppressionsOf = (users: NewUser[], sourceIds: string[]) =>
  users.flatMap(({ id, userKey }) => sourceIds.map((sourceId) => ({ userKey, sourceId, regulationId: id })));
