import { Injectable } from '@nestjs/common';
import {
  type DestinationTestResult,
  eventMetadata,
  GetDestinationRelease,
  isAppError,
  type JsonObject,
  type RequestOf,
  secretValues,
  type TestDestination,
} from '@weir/contracts';
import { type DestinationKind, deliversThroughDataPlane, destinationKind, SecretMask } from '@weir/destinations';
import { EgressByOwner } from '@weir/egress';
import { during, ownTurn, RpcClient } from '@weir/messaging';
import { destinationAad, Sealer } from '@weir/service-kit';
import type { UserOutcome } from '@weir/stages';
import { CodeRunner, CodeSecrets, destStage, type HowToRun, type SendOutcome, sendStage } from '@weir/stages';
import { TestJournal } from '../test-runs/test-journal.js';
import { overriddenConfig } from './config-override.js';
import { verdictOf } from './expectations.js';
import { destinationDisabled, notSupported, runStages, USER_SUPPRESSED } from './run-stages.js';
import { fittedResults, type Views, viewsOf } from './shown-results.js';
import { TestTrace } from './test-trace.js';

type TestRequest = RequestOf<typeof TestDestination>;

/** A running test. */
interface Test {
  request: TestRequest;
  kind: DestinationKind;
  config: JsonObject;
  /** Masks the secrets of the stored configuration and of the test's own. */
  mask: SecretMask;
  trace: TestTrace;
  /** Nothing is sent after this time, in milliseconds since the epoch. */
  end: number;
}

/** Elements of `data` per message. A transformation that returns more fails the test. */
const FAN_OUT_MAX = 100;
/** A test must answer before its caller gives up after 60 s, and the last request may take 10 s more. */
const SENDING_MS_MAX = 45_000;
const OUT_OF_TIME: SendOutcome = { verdict: 'retry', status: 504, response: 'The test ran out of time' };

/** Runs the stages over an event for one destination (area C). Stage failures are results, never errors. */
@Injectable()
export class TestService {
  constructor(
    private readonly rpc: RpcClient,
    private readonly code: CodeRunner,
    private readonly sealer: Sealer,
    private readonly journal: TestJournal,
    private readonly egress: EgressByOwner,
  ) {}

  async test(request: TestRequest): Promise<DestinationTestResult> {
    const { id, name, type, enabled } = request.destination;
    const trace = new TestTrace();
    const refused = (error: string) => this.finish(request, trace, { destinationId: id, destinationName: name, error });
    if (!enabled && !request.force) return refused(destinationDisabled(id));
    const kind = destinationKind(type);
    if (!kind || kind.takesNoEvents || deliversThroughDataPlane(type)) return refused(notSupported(type));
    const stored = this.sealer.open(request.destination.sealedConfig, destinationAad(request.destination));
    const { config, leftOut } = overriddenConfig(kind, stored, request.configOverride);
    trace.leftOut(leftOut);
    const mask = new SecretMask(
      [stored, config].flatMap((one) => secretValues(one, kind.definition.config.secretKeys)),
    );
    const views = await this.run({ request, kind, config, mask, trace, end: Date.now() + SENDING_MS_MAX });
    const resultOf = (view: keyof Views): DestinationTestResult => {
      const data = during('test.fit', () => fittedResults(views.map((one) => one[view])));
      const added = request.details && request.suppressed && { suppressed: request.suppressed }; // ruling 21
      return { destinationId: id, destination: type, destinationName: name, data, ...added };
    };
    await ownTurn(request.workspaceId); // the results together may be as large as a message
    const shown = resultOf('shown');
    await ownTurn(request.workspaceId);
    return this.finish(request, trace, request.role === 'admin' ? resultOf('clear') : shown, shown, mask);
  }

  /**
   * Returns the plain result without details, exactly as the specification shows it. With details, also records the version that
   * everybody may see.
   */
  private async finish(
    request: TestRequest,
    trace: TestTrace,
    result: DestinationTestResult,
    shown = result,
    mask?: SecretMask,
  ): Promise<DestinationTestResult> {
    const { details, expect } = request;
    if (!details) return result;
    const known = trace.details;
    const detailed = (seen: DestinationTestResult) => ({
      ...seen,
      details: { ...known, ...(expect && { verdict: during('expect', () => verdictOf(result, expect, seen)) }) },
    });
    const answer = detailed(result);
    await ownTurn(request.workspaceId);
    const testId = await this.journal.add(request, shown === result ? answer : detailed(shown), mask);
    return { ...answer, details: { ...(testId && { testId }), ...answer.details } };
  }

  private async run(test: Test): Promise<Views[]> {
    const { message } = test.request;
    const messages = Array.isArray(message) ? message : [message];
    const views: Views[] = [];
    for (const [index, one] of messages.entries()) views.push(...(await this.runOne(test, one, index)));
    return views;
  }

  private async runOne(test: Test, message: JsonObject, index: number): Promise<Views[]> {
    const { request, kind, config, trace, end } = test;
    let codeSecrets = new CodeSecrets([]);
    /** The event behind each list of payloads. */
    const events = new Map<unknown, JsonObject>();
    const results = await runStages(message, request.stage, {
      refusal: request.suppressed?.includes(index) ? USER_SUPPRESSED : undefined,
      runCode: async (event) => {
        codeSecrets = await this.code.secretsOf(request.workspaceId);
        const onRun = (run: Parameters<TestTrace['note']>[0]) => trace.note(codeSecrets.in(run));
        return trace.time('user_transform', () => this.runCode(request, event, onRun));
      },
      transform: (event) =>
        trace.time('dest_transform', () => {
          const after = destStage(kind, event, config);
          if (after.status === 'passed') events.set(after.payloads, event);
          return after;
        }),
      send: (payload) =>
        trace.time('send_to_destination', () =>
          Date.now() > end ? OUT_OF_TIME : sendStage(kind, payload, config, this.egress.of(request.workspaceId)),
        ),
    });
    const views: Views[] = [];
    for (const result of results) {
      const event = events.get(result.dest_transformed_payload);
      const shown = {
        workspaceId: request.workspaceId,
        codeSecrets,
        sent: message,
        event,
        ...(request.details && { message: index }),
      };
      views.push(await viewsOf(result, { ...test, ...shown }));
    }
    return views;
  }

  private async runCode(request: TestRequest, event: JsonObject, onRun: HowToRun['onRun']): Promise<UserOutcome> {
    const { workspaceId, sourceId: id, destination, allowFetch = false } = request;
    const { release } = await this.rpc.send(GetDestinationRelease, { workspaceId, destinationId: destination.id });
    const source = id === undefined ? undefined : { id, ...request.source };
    const metadata = eventMetadata(event, { workspaceId, source, destination });
    try {
      const inputs = [{ message: event, metadata }];
      const how = { mode: 'test', allowFetch, onRun } as const;
      const [outcome] = await this.code.run(release, inputs, how);
      return withinFanOut(outcome ?? { status: 'dropped' });
    } catch (error) {
      if (isAppError(error) && error.code === 'not_found') return { status: 'unlinked' };
      throw error;
    }
  }
}

function withinFanOut(outcome: UserOutcome): UserOutcome {
  if (outcome.status !== 'ok' || outcome.outputs.length <= FAN_OUT_MAX) return outcome;
  const message = `Error: ${outcome.outputs.length} events came out of user code, and a test shows at most ${FAN_OUT_MAX}`;
  return { status: 'error', error: { message } };
}
