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
import { type DestinationKind, deliversThroughDataPlane, destinationKind, type Outbound } from '@weir/destinations';
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
import { overriddenConfig } from './config-override.js';
import { fittedResults } from './fitted-results.js';
import { shownTo } from './shown-results.js';

type TestRequest = RequestOf<typeof TestDestination>;

/** Elements of `data` that one test shows; a transformation that makes more of one event has failed its test. */
const FAN_OUT_MAX = 100;
/** A test has to answer before its caller gives up after 60 s; one request may take 10 s more. */
const SENDING_MS_MAX = 45_000;
const OUT_OF_TIME: SendOutcome = { verdict: 'retry', status: 504, response: 'The test ran out of time' };

/** Runs the stages over one event for one destination (area C). Stage failures are results, never errors. */
@Injectable()
export class TestService {
  constructor(
    private readonly rpc: RpcClient,
    private readonly code: CodeRunner,
    private readonly sealer: Sealer,
    @Inject(OUTBOUND) private readonly outbound: Outbound,
  ) {}

  async test(request: TestRequest): Promise<DestinationTestResult> {
    const { id, name, type, enabled } = request.destination;
    const refused = (error: string) => ({ destinationId: id, destinationName: name, error });
    if (!enabled && !request.force) return refused(destinationDisabled(id));
    const kind = destinationKind(type);
    if (!kind || deliversThroughDataPlane(type)) return refused(notSupported(type));
    return { destinationId: id, destination: type, destinationName: name, data: await this.run(request, kind) };
  }

  private async run(request: TestRequest, kind: DestinationKind): Promise<StageResults[]> {
    const stored = this.sealer.open(request.destination.sealedConfig, destinationAad(request.destination));
    const config = overriddenConfig(kind, stored, request.configOverride);
    const end = Date.now() + SENDING_MS_MAX;
    const results = await runStages(request.message, request.stage, {
      runCode: (event) => this.runCode(request, event),
      transform: (event) => destStage(kind, event, config),
      send: async (payload) => (Date.now() > end ? OUT_OF_TIME : await sendStage(kind, payload, config, this.outbound)),
    });
    return fittedResults(shownTo(request.role, results, [stored, config], kind.definition.config.secretKeys));
  }

  private async runCode(request: TestRequest, event: JsonObject): Promise<UserOutcome> {
    const { workspaceId, sourceId, destination } = request;
    const { release } = await this.rpc.send(GetDestinationRelease, { workspaceId, destinationId: destination.id });
    const metadata = eventMetadata(event, { workspaceId, sourceId, destination });
    try {
      const [outcome] = await this.code.run(release, [{ message: event, metadata }], 'test');
      return withinFanOut(outcome ?? { status: 'dropped' });
    } catch (error) {
      if (isAppError(error) && error.code === 'not_found') return { status: 'unlinked' };
      throw error;
    }
  }
}

function withinFanOut(outcome: UserOutcome): UserOutcome {
  if (outcome.status !== 'ok' || outcome.outputs.length <= FAN_OUT_MAX) return outcome;
  const message = `Error: ${outcome.outputs.length} events came out, a test shows at most ${FAN_OUT_MAX}`;
  return { status: 'error', error: { message } };
}
