import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AppError, type ValidationOutput } from '@weir/contracts';
import { type Scope, WorkspaceDatabase, type WriteScope } from '../database/workspace-database.js';
import type { Deadline } from './deadline.js';
import { GateMetrics } from './gate.metrics.js';
import type { Candidates, Published } from './nodes.js';
import { PointerRepository } from './pointer.repository.js';
import { planKey, planRelease } from './release-plan.js';
import { ReleaseTester } from './release-tester.js';
import { passed, summaryOf, testsFailed } from './validation-output.js';

/** Other publishes may change the dependencies of a test. After this many attempts the caller has to try again later. */
const ATTEMPTS_MAX = 25;
/** Longest random pause between attempts, so that publishes that collided do not collide again. */
const BACKOFF_MS_MAX = 200;

const NOTHING_PUBLISHED: Published = { transformations: [], libraries: [] };

export interface Prepared {
  /** Candidates that have to pass. Drafts have none. */
  candidates: Candidates;
}

/** A write that is valid only if its code passes the tests. */
export interface Proposal<P extends Prepared, T> {
  workspaceId: string;
  deadline: Deadline;
  /** Reads the state that the write builds on: once before the tests, and again in the transaction. */
  prepare(scope: Scope): Promise<P>;
  /** Stores the write. Its transaction sees exactly the state that was tested. */
  apply(tx: WriteScope, prepared: P): Promise<T>;
}

/**
 * The only way for code to go live. Tests run first, without any lock. One short transaction then verifies that the tested code
 * is still what would run (architecture section 3, A).
 */
@Injectable()
export class ReleaseGate {
  constructor(
    private readonly database: WorkspaceDatabase,
    private readonly pointers: PointerRepository,
    private readonly tester: ReleaseTester,
    private readonly metrics: GateMetrics,
  ) {}

  /** Throws `tests_failed`, or `conflict` if other publishes keep changing the dependencies. */
  async pass<P extends Prepared, T>(proposal: Proposal<P, T>): Promise<{ stored: T; output: ValidationOutput }> {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const { key, output, message, candidates } = await this.test(proposal);
      if (!passed(output)) {
        this.metrics.count('tests_failed');
        throw testsFailed(output, message, candidates);
      }
      const written = await this.write(proposal, key);
      if (written) {
        this.metrics.count('passed');
        return { stored: written.stored, output };
      }
      await delay(Math.random() * BACKOFF_MS_MAX);
    }
    this.metrics.count('conflict');
    throw new AppError('conflict', 'Other publishes changed what this one depends on, again and again. Try it again.');
  }

  /** Runs only the tests. */
  async test({ workspaceId, deadline, prepare }: Omit<Proposal<Prepared, unknown>, 'apply'>) {
    const scope = this.database.read(workspaceId);
    const { candidates } = await prepare(scope);
    const plan = await this.plan(scope, candidates);
    const output = await this.tester.test(scope, plan, candidates, deadline);
    return { key: planKey(plan, candidates), output, message: summaryOf(output, candidates), candidates };
  }

  /** Undefined if the plan has changed since the tests. */
  private write<P extends Prepared, T>({ workspaceId, deadline, prepare, apply }: Proposal<P, T>, testedKey: string) {
    return this.database.write(workspaceId, async (tx) => {
      deadline.leftMs();
      const prepared = await prepare(tx);
      const plan = await this.plan(tx, prepared.candidates);
      if (planKey(plan, prepared.candidates) !== testedKey) return undefined;
      return { stored: await apply(tx, prepared) };
    });
  }

  private async plan(scope: Scope, candidates: Candidates) {
    const isDraft = candidates.transformations.length + candidates.libraries.length === 0;
    return planRelease(candidates, isDraft ? NOTHING_PUBLISHED : await this.pointers.published(scope));
  }
}
