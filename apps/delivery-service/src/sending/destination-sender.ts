import { DELIVERY_TIMEOUT_MS, type JsonObject } from '@weir/contracts';
import {
  type DeliveryBatching,
  type DeliveryResult,
  type DeliverySession,
  type DestinationKind,
  type Outbound,
  type Payload,
  type SessionItem,
  sessionOf,
  TOO_LATE,
} from '@weir/destinations';
import type { Lease } from '@weir/messaging';
import { failureOf, NO_RESULT, outcomeOf, type SendOutcome, sendStage } from '@weir/stages';

const TOO_SLOW: SendOutcome = outcomeOf(TOO_LATE);

/** Time between the last request of a session and its results. */
const RESULTS_MS = 500;

interface SendOptions {
  idempotencyKey: string;
  /** The send has ended by then. Milliseconds of `performance.now()`. */
  deadline: number;
  /** Nothing is sent unless this lease is held. */
  lease?: Lease;
}

interface Waiting {
  item: SessionItem;
  lease: Lease | undefined;
  deadline: number;
  bytes: number;
  done: (outcome: SendOutcome) => void;
  fail: (error: unknown) => void;
}

/** Sends payloads to one destination: one by one, or through a session if the kind keeps connections or takes batches. */
export class DestinationSender {
  private config: JsonObject | undefined;
  private session: OpenSession | undefined;

  constructor(private readonly outbound: Outbound) {}

  /** Rejects only with `LeaseLostError`. A changed configuration starts a new session. */
  async send(
    kind: DestinationKind,
    payload: Payload,
    config: JsonObject,
    { idempotencyKey, deadline, lease }: SendOptions,
  ): Promise<SendOutcome> {
    try {
      if (this.config !== config) this.begin(kind, config);
    } catch (error) {
      return failureOf(error);
    }
    if (this.session) return this.session.send({ payload, idempotencyKey }, deadline, lease);
    lease?.assertHeld();
    return sendStage(kind, payload, config, this.outbound, { idempotencyKey, deadline });
  }

  async close(): Promise<void> {
    const session = this.session;
    this.session = undefined;
    this.config = undefined;
    await session?.close();
  }

  /** Closes the session in the background. A session that cannot be closed is left to its time-outs. */
  private giveUp(): void {
    this.close().catch(() => undefined);
  }

  private begin(kind: DestinationKind, config: JsonObject): void {
    this.giveUp();
    const opened = sessionOf(kind, config, this.outbound);
    this.session = opened && new OpenSession(opened.session, opened.batching, () => this.giveUp());
    this.config = config;
  }
}

/** Collects payloads up to the limits in `batching`. */
class OpenSession {
  private waiting: Waiting[] = [];
  private bytes = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly session: DeliverySession,
    private readonly batching: DeliveryBatching,
    private readonly giveUp: () => void,
  ) {}

  send(item: SessionItem, deadline: number, lease: Lease | undefined): Promise<SendOutcome> {
    const { payloadsMax, bytesMax, waitMs } = this.batching;
    const bytes = Buffer.byteLength(JSON.stringify(item.payload));
    if (this.bytes + bytes > bytesMax) this.flush();
    return new Promise((done, fail) => {
      this.waiting.push({ item, lease, deadline, bytes, done, fail });
      this.bytes += bytes;
      if (this.waiting.length >= payloadsMax) this.flush();
      else this.timer ??= setTimeout(() => this.flush(), waitMs);
    });
  }

  /** Hands the waiting payloads to the session and closes it. A session with connections rejects them, and they are tried again. */
  async close(): Promise<void> {
    this.flush();
    await this.session.close();
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const gathered = this.waiting;
    this.waiting = [];
    this.bytes = 0;
    if (gathered.length > 0) void this.deliver(gathered);
  }

  private async deliver(gathered: Waiting[]): Promise<void> {
    const held = gathered.filter(isHeld); // a lease may have expired while payloads were collected
    if (held.length === 0) return;
    const deadline = Math.min(performance.now() + DELIVERY_TIMEOUT_MS, ...held.map((one) => one.deadline));
    const outcomes = await this.call(
      held.map(({ item }) => item),
      deadline,
    );
    for (const [index, { done }] of held.entries()) done(outcomes[index] ?? outcomeOf(NO_RESULT));
  }

  /** Gives the session up if it has not ended at the deadline, because it could still send. */
  private async call(items: SessionItem[], deadline: number): Promise<SendOutcome[]> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<DeliveryResult[]>((_, reject) => {
      timer = setTimeout(() => reject(new LateError()), deadline - performance.now());
    });
    try {
      const sent = this.session.deliver(items, { deadline: deadline - RESULTS_MS });
      return (await Promise.race([sent, late])).map(outcomeOf);
    } catch (error) {
      if (!(error instanceof LateError)) return items.map(() => failureOf(error));
      this.giveUp();
      return items.map(() => TOO_SLOW);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Fails a payload whose lease is lost. */
function isHeld({ lease, fail }: Waiting): boolean {
  try {
    lease?.assertHeld();
    return true;
  } catch (error) {
    fail(error);
    return false;
  }
}

class LateError extends Error {}
