import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { CreateRegulation, IdempotencyClaim, RegulationFilter, RequestInputOf } from '@weir/contracts';
import { type Database, newKsuid, Pepper } from '@weir/service-kit';
import type { AnswerLeases } from '../src/answers/answer-leases.js';
import { Budgets } from '../src/budget/budget.repository.js';
import { DeletionService } from '../src/deletion/deletion.service.js';
import { CreationService } from '../src/regulations/creation.service.js';
import { Idempotency } from '../src/regulations/idempotency.repository.js';
import { RegulationService } from '../src/regulations/regulation.service.js';
import { Attributes, MatchKeys } from '../src/secrets/match-keys.js';
import { SuppressionService } from '../src/suppression/suppression.service.js';

// These tests provoke errors on purpose, so nothing is logged.
Logger.overrideLogger(false);

export const PEPPER = randomBytes(32).toString('base64');
export const matchKeys = new MatchKeys(new Pepper(PEPPER));
export const attributes = new Attributes(matchKeys);

/** The default configuration. */
export const BUDGETS = { suppression: 50_000, deletion: 200_000 };

type Request = RequestInputOf<typeof CreateRegulation>;

/** Nobody uses answers again. */
const NO_ANSWERS: Pick<AnswerLeases, 'recall'> = { recall: async () => undefined };

/** The service as its callers see it, for one workspace of the test. */
export function workspaceOf(
  dataSource: Database,
  workspaceId = newKsuid(),
  limits = BUDGETS,
  answers = NO_ANSWERS as AnswerLeases,
) {
  const creation = new CreationService(
    dataSource,
    matchKeys,
    attributes,
    new Budgets(limits),
    new Idempotency(matchKeys),
    answers,
  );
  const regulations = new RegulationService(dataSource, matchKeys, attributes);
  const suppressions = new SuppressionService(dataSource, matchKeys);
  const deletions = new DeletionService(dataSource);
  const whole = (request: Partial<Request>): Request => {
    const defaults = { createdBy: 'ops@example.com', sourceIds: null, destinations: [], users: [{ userId: 'ada' }] };
    return { regulationType: 'suppress', workspaceId, ...defaults, ...request };
  };
  const post = (request: Partial<Request>) => creation.create(whole(request));
  const create = async (request: Partial<Request>): Promise<string[]> => (await post(request)).ids;
  return {
    workspaceId,
    post,
    plan: (request: Partial<Request>) => creation.plan(whole(request)),
    recall: (idempotency: IdempotencyClaim) => creation.recall({ workspaceId, idempotency }),
    create,
    createOne: async (request: Partial<Request>): Promise<string> => (await create(request))[0] ?? '',
    list: (cursor?: string, filter: RegulationFilter = {}) =>
      regulations.list({ workspaceId, filter, ...(cursor !== undefined && { cursor }) }),
    details: async () => (await regulations.list({ workspaceId, details: true })).records,
    get: (id: string) => regulations.get({ workspaceId, id }),
    cancel: (id: string) => regulations.cancel({ workspaceId, id, canceledBy: 'ops@example.com' }),
    abortDestination: (destinationId: string) => deletions.abortDestination(workspaceId, destinationId),
    check: async (sourceId: string, ...userIds: string[]) =>
      (await suppressions.check({ workspaceId, sourceId, userIds })).suppressed,
    checkDeleted: async (...userIds: string[]) =>
      (await suppressions.check({ workspaceId, sourceId: newKsuid(), userIds })).deleted,
  };
}
export type Workspace = ReturnType<typeof workspaceOf>;

/** Makes the identifiers of a regulation impossible to open, as a lost pepper does. */
export const spoil = (database: Database, regulationId: string) =>
  database.query(`UPDATE regulations SET attributes = 'v1.0badc0de.AAAA' WHERE id = $1`, [regulationId]);

/** Repeatable pseudo-random numbers in [0, 1) (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
