import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StackAddress } from '@weir/local';
import { type Answer, type Api, api, until } from '@weir/testing';

/** Milliseconds of each request of a workspace, in order. */
export interface Taken {
  intake: number[];
  delivery: number[];
  test: number[];
}

const GAP_MS = 100;
const FIRST_MS = 60_000;
const ARRIVAL_MS = 60_000;
const CODE = 'export function transformEvent(event) { event.seen = true; return event; }';

/** A well-behaved workspace that sends events through code to a webhook, and tests that code. */
export class Victim {
  taken: Taken = { intake: [], delivery: [], test: [] };
  /** Requests and events that did not succeed. */
  readonly failures: string[] = [];
  private readonly sentAt = new Map<string, number>();
  private sent = 0;
  private isOver = false;
  private running: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly client: Api,
    private readonly intake: Api,
    private readonly destinationId: string,
  ) {}

  /**
   * @param sink Receives its events
   * @param arrivals Registers the listener for the message ids of arriving events
   */
  static async enter(
    stack: StackAddress,
    sink: string,
    arrivals: (listen: (messageId: string) => void) => void,
  ): Promise<Victim> {
    const client = api(stack);
    const { source } = made(await client.post('/v2/sources', { name: 'victim', type: 'HTTP', enabled: true }));
    const config = { webhookUrl: `${sink}/victim` };
    const { id } = made(
      await client.post('/v2/destinations', { name: 'victim', type: 'WEBHOOK', enabled: true, config }),
    ).destination;
    made(await client.post('/v2/connections', { sourceId: source.id, destinationId: id, enabled: true }));
    made(await client.post('/transformations?publish=true', { name: 'victim', code: CODE, destinationIds: [id] }));
    const victim = new Victim(client, api(stack, { writeKey: source.writeKey }), id);
    arrivals((messageId) => victim.arrived(messageId));
    await victim.send();
    await until('the first event of the victim', () => victim.sentAt.size === 0, FIRST_MS);
    return victim;
  }

  /** Runs until {@link stop}. */
  start(): void {
    const each = async (step: () => Promise<void>) => {
      while (!this.isOver) {
        await step().catch((error: Error) => this.failures.push(String(error.cause ?? error)));
        await sleep(GAP_MS);
      }
    };
    this.running = Promise.all([each(() => this.send()), each(() => this.test())]);
  }

  /** Waits for requests and events under way. An event that has not arrived by then is lost. */
  async stop(): Promise<void> {
    this.isOver = true;
    await this.running;
    await until('the last events of the victim', () => this.sentAt.size === 0, ARRIVAL_MS).catch(() => undefined);
    if (this.sentAt.size > 0) this.failures.push(`${this.sentAt.size} events did not arrive`);
  }

  /** Returns the measurements since the last call. */
  takeOut(): Taken {
    const { taken } = this;
    this.taken = { intake: [], delivery: [], test: [] };
    return taken;
  }

  private async send(): Promise<void> {
    this.sent += 1;
    const messageId = `victim-${this.sent}`;
    this.sentAt.set(messageId, performance.now());
    const startedAt = performance.now();
    const answer = await this.intake.post('/v1/track', {
      messageId,
      userId: 'ada',
      event: 'Bought',
      properties: { price: 12.5 },
    });
    this.taken.intake.push(performance.now() - startedAt);
    if (answer.status !== 200) {
      this.sentAt.delete(messageId);
      this.failures.push(`intake: ${answer.status} ${answer.text.slice(0, 200)}`);
    }
  }

  private async test(): Promise<void> {
    const startedAt = performance.now();
    const body = { message: { type: 'track', userId: 'ada', event: 'Bought' } };
    const answer = await this.client.post(`/v0/testDestination/${this.destinationId}`, body);
    this.taken.test.push(performance.now() - startedAt);
    const isSeen = answer.body?.data?.[0]?.user_transformed_payload?.seen === true;
    if (!isSeen) this.failures.push(`test: ${answer.status} ${answer.text.slice(0, 200)}`);
  }

  private arrived(messageId: string): void {
    const sentAt = this.sentAt.get(messageId);
    if (sentAt === undefined) return;
    this.sentAt.delete(messageId);
    this.taken.delivery.push(performance.now() - sentAt);
  }
}

function made({ status, body, text }: Answer) {
  if (status !== 200) throw new Error(`expected 200, got ${status}: ${text}`);
  return body;
}
