import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  Optional,
} from '@nestjs/common';
import { AppError, isAppError, RunCode } from '@weir/contracts';
import {
  answerCall,
  CALL_OBSERVER,
  type CallObserver,
  type CallOutcome,
  during,
  NATS,
  onMessage,
} from '@weir/messaging';
import { CodeService } from './code.service.js';
import { KillSwitch } from './kill-switch.js';
import { KnownBundles } from './known-bundles.js';
import { type RunPacket, readRunPacket } from './run-request.js';

/** The queue group that all replicas share. */
const QUEUE = 'code-sandbox';

/**
 * Answers `sandbox.code.run.v1` without Nest's transport, which would parse and serialise every event. The packets are the same.
 * Stops like other endpoints: takes no more requests, then finishes those under way.
 */
@Injectable()
export class RunEndpoint implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(RunEndpoint.name);
  private subscription: Subscription | undefined;
  private readonly knownBundles = new KnownBundles();
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly code: CodeService,
    private readonly killSwitch: KillSwitch,
    @Inject(NATS) private readonly nats: NatsConnection,
    @Optional() @Inject(CALL_OBSERVER) private readonly observer?: CallObserver,
  ) {}

  onApplicationBootstrap(): void {
    this.subscription = this.nats.subscribe(RunCode.subject, {
      queue: QUEUE,
      callback: onMessage((message) => this.accept(message)),
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.subscription?.drain();
    await Promise.allSettled(this.underWay);
  }

  private accept(message: Msg): void {
    const answering = answerCall(RunCode.subject, message, () => this.answer(message), this.observer);
    this.underWay.add(answering);
    void answering.finally(() => this.underWay.delete(answering));
  }

  /** Never rejects. */
  private async answer(message: Msg): Promise<CallOutcome> {
    let id: unknown;
    try {
      const packet = during('sandbox.read', () => readRunPacket(bytesOf(message), this.knownBundles));
      id = packet.id;
      const reply = await this.run(packet);
      message.respond(Buffer.concat([packetStart(id, 'response'), ...reply, PACKET_END]));
      return 'ok';
    } catch (error) {
      message.respond(Buffer.concat([packetStart(id, 'err'), this.errorBody(error), PACKET_END]));
      return isAppError(error) ? error.code : 'internal';
    }
  }

  private async run(packet: RunPacket): Promise<Buffer[]> {
    const request = packet.request();
    this.killSwitch.assertOn(request.workspaceId);
    return this.code.run(request);
  }

  /** Matches `RpcErrorFilter`: returns an `AppError` as it is, logs any other error and returns a bare `internal`. */
  private errorBody(error: unknown): Buffer {
    if (isAppError(error)) return Buffer.from(JSON.stringify(error.toBody()));
    this.logger.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return Buffer.from(JSON.stringify(new AppError('internal', 'Internal error').toBody()));
  }
}

/** The start of Nest's packet for a single answer. */
const packetStart = (id: unknown, field: 'response' | 'err') =>
  Buffer.from(`{"id":${JSON.stringify(id ?? '')},"isDisposed":true,"${field}":`);
const PACKET_END = Buffer.from('}');

const bytesOf = ({ data }: Msg) => Buffer.from(data.buffer, data.byteOffset, data.byteLength);
