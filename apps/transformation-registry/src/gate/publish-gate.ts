import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AppError, type ValidationOutput } from '@weir/contracts';
import { Metrics } from '@weir/service-kit';
import { type Scope, WorkspaceDatabase, type WriteScope } from '../database/workspace-database.js';
import type { Candidates, Published } from '../revisions/nodes.js';
import { PointerRepository } from '../revisions/pointer.repository.js';
import { passed, summaryOf, testsFailed } from './judge.js';
import { PlanTester } from './plan-tester.js';
import { planKey, planPublish } from './publish-plan.js';
import type { Deadline } from './sandbox.client.js';

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
  apply(tx: WriteScope, prepared: P, tested: ValidationOutput): Promise<T>;
}

/**
 * The only way for code to go live. Tests run first, without any lock. One short transaction then verifies that the tested code
 * is still what would run (architecture section 3, A).
 */
@Injectable()
export class PublishGate {
  private readonly outcomes;

  constructor(
    private readonly database: WorkspaceDatabase,
    private readonly pointers: PointerRepository,
    private readonly tester: PlanTester,
    metrics: Metrics,
  ) {
    this.outcomes = metrics.counter({
      name: 'registry_gate_total',
      help: 'Writes of code by outcome: passed (drafts included), tests_failed or conflict',
      labelNames: ['outcome'],
    });
  }

  /** Throws `tests_failed`, or `conflict` if other publishes keep changing the dependencies. */
  async pass<P extends Prepared, T>(proposal: Proposal<P, T>): Promise<{ stored: T; output: ValidationOutput }> {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const tested = await this.test(proposal);
      const { output, message, candidates } = tested;
      if (!passed(output)) {
        this.outcomes.inc({ outcome: 'tests_failed' });
        throw testsFailed(output, message, candidates);
      }
      const written = await this.write(proposal, tested);
      if (written) {
        this.outcomes.inc({ outcome: 'passed' });
        return { stored: written.stored, output };
      }
      await delay(Math.random() * BACKOFF_MS_MAX);
    }
    this.outcomes.inc({ outcome: 'conflict' });
    throw new AppError('conflict', 'Other publishes kept changing what this one depends on. Try again.');
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
  private write<P extends Prepared, T>(
    { workspaceId, deadline, prepare, apply }: Proposal<P, T>,
    { key, output }: { key: string; output: ValidationOutput },
  ) {
    return this.database.write(workspaceId, async (tx) => {
      deadline.leftMs();
      const prepared = await prepare(tx);
      const plan = await this.plan(tx, prepared.candidates);
      if (planKey(plan, prepared.candidates) !== key) return undefined;
      return { stored: await apply(tx, prepared, output) };
    });
  }

  private async plan(scope: Scope, candidates: Candidates) {
    const isDraft = candidates.transformations.length + candidates.libraries.length === 0;
    return planPublish(candidates, isDraft ? NOTHING_PUBLISHED : await this.pointers.published(scope));
  }
}
