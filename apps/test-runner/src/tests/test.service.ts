import { Inject, Injectable } from '@nestjs/common';
import {
  type DestinationTestResult,
  GetDestinationRelease,
  isAppError,
  type JsonObject,
  type RequestOf,
  type StageResults,
  type TestDestination,
} from '@weir/contracts';
import {
  type DestinationKind,
  deliversThroughDataPlane,
  destinationKind,
  type Outbound,
  type Payload,
} from '@weir/destinations';
import { RpcClient } from '@weir/messaging';
import { destinationAad, Sealer } from '@weir/service-kit';
import { CodeRunner } from '../code/code-runner.js';
import { eventMetadata } from '../code/event-metadata.js';
import { OUTBOUND } from '../egress/outbound.js';
import { destStage } from '../stages/dest-stage.js';
import { destinationDisabled, notSupported } from '../stages/literals.js';
import { runStages } from '../stages/run-stages.js';
import { type SendOutcome, sendStage } from '../stages/send-stage.js';
import type { UserOutcome } from '../stages/user-stage.js';
import { TestJournal } from '../test-runs/test-journal.js';
import { overriddenConfig } from './config-override.js';
import { curlLines } from './curl-lines.js';
import { verdictOf } from './expectations.js';
import { fittedResults } from './fitted-results.js';
import { shownTo } from './shown-results.js';
import { TestRecord } from './test-record.js';

type TestRequest = RequestOf<typeof TestDestination>;

/** A test while it runs. */
interface Test {
  request: TestRequest;
  kind: DestinationKind;
  config: JsonObject;
  /** Configurations whose secrets are hidden. */
  configs: JsonObject[];
  record: TestRecord;
  /** Sending ends at this time, in milliseconds since the epoch. */
  end: number;
}

/** Elements of `data` that one message may have; a transformation that makes more of one event has failed its test. */
const FAN_OUT_MAX = 100;
/** A test has to answer before its caller gives up after 60 s; one request may take 10 s more. */
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
    @Inject(OUTBOUND) private readonly outbound: Outbound,
  ) {}

  async test(request: TestRequest): Promise<DestinationTestResult> {
    const { id, name, type, enabled } = request.destination;
    const record = new TestRecord();
    const refused = (error: string) =>
      this.finish(request, record, { destinationId: id, destinationName: name, error });
    if (!enabled && !request.force) return refused(destinationDisabled(id));
    const kind = destinationKind(type);
    if (!kind || kind.takesNoEvents || deliversThroughDataPlane(type)) return refused(notSupported(type));
    const stored = this.sealer.open(request.destination.sealedConfig, destinationAad(request.destination));
    const config = overriddenConfig(kind, stored, request.configOverride);
    const configs = [stored, config];
    const data = await this.run({ request, kind, config, configs, record, end: Date.now() + SENDING_MS_MAX });
    const result = { destinationId: id, destination: type, destinationName: name, data };
    return this.finish(request, record, result, { kind, configs });
  }

  /** Without details the result stays exactly what the specification shows. */
  private async finish(
    request: TestRequest,
    record: TestRecord,
    result: DestinationTestResult,
    secrets?: Pick<Test, 'kind' | 'configs'>,
  ): Promise<DestinationTestResult> {
    if (!request.details) return result;
    const verdict = request.expect && verdictOf(result, request.expect);
    const detailed = { ...result, details: { ...record.details, ...(verdict && { verdict }) } };
    const testId = await this.journal.add(request, detailed, secrets);
    return { ...detailed, details: { ...(testId && { testId }), ...detailed.details } };
  }

  private async run(test: Test): Promise<StageResults[]> {
    const { request, kind, configs } = test;
    const messages = Array.isArray(request.message) ? request.message : [request.message];
    const results: StageResults[] = [];
    for (const [index, message] of messages.entries()) results.push(...(await this.runOne(test, message, index)));
    return fittedResults(shownTo(request.role, results, configs, kind.definition.config.secretKeys));
  }

  private async runOne(test: Test, message: JsonObject, index: number): Promise<StageResults[]> {
    const { request, kind, config, record, end } = test;
    const results = await runStages(message, request.stage, {
      runCode: (event) => record.time('user_transform', () => this.runCode(request, event, record)),
      transform: (event) => record.time('dest_transform', () => destStage(kind, event, config)),
      send: (payload) =>
        record.time('send_to_destination', () =>
          Date.now() > end ? OUT_OF_TIME : sendStage(kind, payload, config, this.outbound),
        ),
    });
    return request.details ? Promise.all(results.map((result) => detailed(test, result, index))) : results;
  }

  private async runCode(request: TestRequest, event: JsonObject, record: TestRecord): Promise<UserOutcome> {
    const { workspaceId, sourceId, destination, allowFetch = false } = request;
    const { release } = await this.rpc.send(GetDestinationRelease, { workspaceId, destinationId: destination.id });
    const metadata = eventMetadata(event, { workspaceId, sourceId, destination });
    try {
      const inputs = [{ message: event, metadata }];
      const how = { mode: 'test', allowFetch, onRun: record.note.bind(record) } as const;
      const [outcome] = await this.code.run(release, inputs, how);
      return withinFanOut(outcome ?? { status: 'dropped' });
    } catch (error) {
      if (isAppError(error) && error.code === 'not_found') return { status: 'unlinked' };
      throw error;
    }
  }
}

async function detailed({ kind, config, configs }: Test, result: StageResults, message: number): Promise<StageResults> {
  const { dest_transformed_payload: made } = result;
  const payloads = Array.isArray(made) ? (made as Payload[]) : [];
  return { ...result, details: { message, requests: await curlLines(kind, payloads, config, configs) } };
}

function withinFanOut(outcome: UserOutcome): UserOutcome {
  if (outcome.status !== 'ok' || outcome.outputs.length <= FAN_OUT_MAX) return outcome;
  const message = `Error: ${outcome.outputs.length} events came out, a test shows at most ${FAN_OUT_MAX}`;
  return { status: 'error', error: { message } };
}
