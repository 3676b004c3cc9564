import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  Optional,
} from '@nestjs/common';
import { AppError, FindDeletedDestinations, isAppError } from '@weir/contracts';
import { answerCall, CALL_OBSERVER, type CallObserver, type CallOutcome, describeIssues, NATS } from '@weir/messaging';
import { Database } from '@weir/service-kit';

const QUEUE = 'gateway';

interface Packet {
  id?: unknown;
  data?: unknown;
}

/** Tells deliverers which destinations no longer exist in the database. A gateway serves no other call. */
@Injectable()
export class DeletedDestinations implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(DeletedDestinations.name);
  private subscription: Subscription | undefined;

  constructor(
    @Inject(NATS) private readonly nats: NatsConnection,
    private readonly database: Database,
    @Optional() @Inject(CALL_OBSERVER) private readonly observer?: CallObserver,
  ) {}

  onApplicationBootstrap(): void {
    const { subject } = FindDeletedDestinations;
    const callback = (_error: Error | null, message: Msg) =>
      void answerCall(subject, message, () => this.answer(message), this.observer);
    this.subscription = this.nats.subscribe(subject, { queue: QUEUE, callback });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.subscription?.drain();
  }

  /** Never rejects. */
  private async answer(message: Msg): Promise<CallOutcome> {
    let id: unknown;
    const respond = (packet: object) => message.respond(JSON.stringify({ id, isDisposed: true, ...packet }));
    try {
      const packet = message.json<Packet>();
      id = packet.id;
      respond({ response: { deleted: await this.find(packet.data) } });
      return 'ok';
    } catch (error) {
      const known = isAppError(error) ? error : new AppError('internal', 'Internal error');
      if (known !== error) this.logger.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
      respond({ err: known.toBody() });
      return known.code;
    }
  }

  private async find(data: unknown): Promise<string[]> {
    const request = FindDeletedDestinations.request.safeParse(data);
    if (!request.success) throw new AppError('invalid', describeIssues(request.error).message);
    const { destinationIds } = request.data;
    const sql = 'SELECT id FROM destinations WHERE id = ANY($1)';
    const { rows } = await this.database.run<{ id: string }>(sql, [destinationIds]);
    const known = new Set(rows.map(({ id }) => id));
    return destinationIds.filter((id) => !known.has(id));
  }
}
