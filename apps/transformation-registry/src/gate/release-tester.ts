import { Injectable } from '@nestjs/common';
import { CheckCode, type CodeBundle, type Replay, type ValidationOutput } from '@weir/contracts';
import type { Scope } from '../database/workspace-database.js';
import { bundleOf } from './bundle.js';
import { CodeRepository } from './code.repository.js';
import type { Deadline } from './deadline.js';
import { EventRunner, type RunContext } from './event-runner.js';
import { judge, refused, summarize } from './judge.js';
import { mapLimited } from './map-limited.js';
import type { Candidates, CodeNode, LibraryNode, TestCase } from './nodes.js';
import type { Planned, ReleasePlan } from './release-plan.js';
import { replayOf } from './replay.js';
import { SandboxClient } from './sandbox.client.js';
import { DEFAULT_EVENTS } from './test-events.js';
import { bounded, libraryOutput, transformationOutput } from './validation-output.js';

/** Concurrent tests in one release. Leaves the sandbox room for live traffic. */
const TEST_CONCURRENCY = 4;
const DEFAULT_TESTS: readonly TestCase[] = [{ name: 'Default events', input: [...DEFAULT_EVENTS] }];

/** Runs a plan in the sandbox. Failing code is part of the output. An unavailable sandbox throws. */
@Injectable()
export class ReleaseTester {
  constructor(
    private readonly sandbox: SandboxClient,
    private readonly codes: CodeRepository,
    private readonly events: EventRunner,
  ) {}

  async test(scope: Scope, plan: ReleasePlan, candidates: Candidates, deadline: Deadline): Promise<ValidationOutput> {
    const context = { workspaceId: scope.workspaceId, deadline, reach: candidates.reach };
    const load = (unit: Planned<CodeNode>, name: string) => this.load(scope, unit, name, candidates);
    const libraries = await mapLimited(plan.libraries, TEST_CONCURRENCY, async (unit) =>
      libraryOutput(
        unit.node,
        unit.problem ?? (await this.check(scope, await load(unit, unit.node.importName), deadline)),
      ),
    );
    const transformations = await mapLimited(plan.transformations, TEST_CONCURRENCY, async (unit) => {
      const tests = candidates.tests.get(unit.node.versionId) ?? DEFAULT_TESTS;
      const { problem } = unit;
      const results =
        problem === undefined
          ? await this.run(context, await load(unit, unit.node.name), tests)
          : tests.map((test) => refused(test, problem));
      const replay = await this.replay(scope, unit, plan, candidates, context);
      return { ...transformationOutput(unit.node, summarize(results)), ...(replay && { replay }) };
    });
    return bounded({ libraries, transformations });
  }

  private async check({ workspaceId }: Scope, bundle: CodeBundle, deadline: Deadline): Promise<string | undefined> {
    const { error } = await this.sandbox.send(CheckCode, { workspaceId, bundle, kind: 'library' }, deadline);
    return error?.message;
  }

  private async run(context: RunContext, bundle: CodeBundle, tests: readonly TestCase[]) {
    const results = [];
    for (const test of tests) {
      const events = test.input.length > 0 ? test.input : DEFAULT_EVENTS;
      results.push(judge(test, events, await this.events.run(context, bundle, events)));
    }
    return results;
  }

  /** Runs the samples through the live version and the candidate. Undefined if the candidate cannot be bundled. */
  private async replay(
    scope: Scope,
    unit: Planned<CodeNode>,
    plan: ReleasePlan,
    candidates: Candidates,
    context: RunContext,
  ): Promise<Replay | undefined> {
    const samples = candidates.samples.get(unit.node.versionId) ?? [];
    if (samples.length === 0 || unit.problem !== undefined) return undefined;
    const run = async (of: Planned<CodeNode>) =>
      this.events.run(context, await this.load(scope, of, of.node.name, candidates), samples);
    const live = plan.live.get(unit.node.id);
    return replayOf(samples, {
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
