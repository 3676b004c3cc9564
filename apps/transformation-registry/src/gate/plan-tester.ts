import { Injectable } from '@nestjs/common';
import {
  CheckCode,
  type CodeBundle,
  type CodeRuntime,
  DEFAULT_EVENTS,
  type Replay,
  type TestCase,
  type ValidationOutput,
} from '@weir/contracts';
import pLimit from 'p-limit';
import { bundleOf, CodeRepository } from '../bundles/bundle.service.js';
import type { Scope } from '../database/workspace-database.js';
import type { Candidates, CodeNode, LibraryNode } from '../revisions/nodes.js';
import { SavedTestRepository } from '../revisions/saved-test.repository.js';
import { EventRunner, type RunContext } from './event-runner.js';
import { comparisonOf } from './evidence.js';
import { judge, libraryOutput, refused, summarize, transformationOutput } from './judge.js';
import { bounded, type CaseResult } from './output-limits.js';
import type { Planned, PublishPlan } from './publish-plan.js';
import { type Deadline, SandboxClient } from './sandbox.client.js';

/** Concurrent tests in one release. Leaves the sandbox room for live traffic. */
const TEST_CONCURRENCY = 4;
const DEFAULT_TESTS: readonly TestCase[] = [{ name: 'Default events', input: [...DEFAULT_EVENTS] }];

/** Runs a plan in the sandbox. Failing code is part of the output. An unavailable sandbox throws. */
@Injectable()
export class PlanTester {
  constructor(
    private readonly sandbox: SandboxClient,
    private readonly codes: CodeRepository,
    private readonly events: EventRunner,
    private readonly saved: SavedTestRepository,
  ) {}

  async test(scope: Scope, plan: PublishPlan, candidates: Candidates, deadline: Deadline): Promise<ValidationOutput> {
    const context = { workspaceId: scope.workspaceId, deadline, reach: candidates.reach };
    const load = (unit: Planned<CodeNode>, name: string) => this.load(scope, unit, name, candidates);
    const libraries = await inParallel(plan.libraries, async (unit) =>
      libraryOutput(
        unit.node,
        unit.problem ?? (await this.check(scope, await load(unit, unit.node.importName), deadline)),
      ),
    );
    const transformations = await inParallel(plan.transformations, async (unit) => {
      const tests = await this.testsOf(scope, unit.node, candidates);
      const { problem } = unit;
      const { results, runtime } =
        problem === undefined
          ? await this.run(context, await load(unit, unit.node.name), tests)
          : { results: tests.map((test) => refused(test, problem)) };
      const replay = await this.compare(scope, unit, plan, candidates, context);
      return { ...transformationOutput(unit.node, summarize(results), runtime), ...(replay && { replay }) };
    });
    return bounded({ libraries, transformations });
  }

  /** The tests of the request and the saved ones, or what takes their place. A transformation with neither runs the default events. */
  private async testsOf(
    scope: Scope,
    { id, versionId }: CodeNode,
    candidates: Candidates,
  ): Promise<readonly TestCase[]> {
    const stored = async () => (candidates.runsSavedTests ? (await this.saved.find(scope, id)).tests : []);
    const saved = candidates.testsToSave.get(versionId) ?? (await stored());
    const tests = [...(candidates.tests.get(versionId) ?? []), ...saved];
    return tests.length > 0 ? tests : DEFAULT_TESTS;
  }

  private async check({ workspaceId }: Scope, bundle: CodeBundle, deadline: Deadline): Promise<string | undefined> {
    if (bundle.code.trim() === '') return 'It has no code';
    const { error } = await this.sandbox.send(CheckCode, { workspaceId, bundle, kind: 'library' }, deadline);
    return error?.message;
  }

  private async run(context: RunContext, bundle: CodeBundle, tests: readonly TestCase[]) {
    const results: CaseResult[] = [];
    let runtime: CodeRuntime | undefined;
    for (const test of tests) {
      const events = test.input.length > 0 ? test.input : DEFAULT_EVENTS;
      const run = await this.events.run(context, bundle, events);
      results.push(judge(test, events, run));
      runtime ??= run.runtime;
    }
    return { results, runtime };
  }

  /** Runs the samples through the live revision and the candidate. Undefined if the candidate cannot be bundled. */
  private async compare(
    scope: Scope,
    unit: Planned<CodeNode>,
    plan: PublishPlan,
    candidates: Candidates,
    context: RunContext,
  ): Promise<Replay | undefined> {
    const samples = candidates.samples.get(unit.node.versionId) ?? [];
    if (samples.length === 0 || unit.problem !== undefined) return undefined;
    const run = async (of: Planned<CodeNode>) =>
      this.events.run(context, await this.load(scope, of, of.node.name, candidates), samples);
    const live = plan.live.get(unit.node.id);
    return comparisonOf(samples, {
      liveVersionId: live?.node.versionId ?? null,
      live: live && (await run(live)),
      next: await run(unit),
    });
  }

  /** Loads code just before its test, so that only code under test is in memory. */
  private async load(scope: Scope, { node, libraries }: Planned<CodeNode>, name: string, { unsavedCode }: Candidates) {
    const versionIds = [node, ...libraries].map(({ versionId }) => versionId);
    const stored = await this.codes.byVersion(
      scope,
      versionIds.filter((id) => !unsavedCode.has(id)),
    );
    const codeOf = (id: string) => unsavedCode.get(id) ?? stored.get(id)?.code ?? '';
    const imported = libraries.map(({ versionId, importName }: LibraryNode) => ({
      versionId,
      importName,
      code: codeOf(versionId),
    }));
    return bundleOf({ versionId: node.versionId, name, code: codeOf(node.versionId) }, imported);
  }
}

/** Tests a few items at a time, in order. Starts no more after the first failure. */
async function inParallel<T, R>(items: readonly T[], test: (item: T) => Promise<R>): Promise<R[]> {
  const limit = pLimit(TEST_CONCURRENCY);
  try {
    return await Promise.all(items.map((item) => limit(() => test(item))));
  } finally {
    limit.clearQueue();
  }
}
