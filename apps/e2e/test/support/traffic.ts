import { setTimeout as sleep } from 'node:timers/promises';
import { api, type RecordingServer, trackEvent, until } from '@weir/testing';

type Stack = Parameters<typeof api>[0];

const EVENTS_PER_SECOND = 100;
/** An SDK retries until its event is accepted. This sender does so for as long as any fault may last. */
const RETRY_MS = 200;

/** A source that sends to a webhook through a published transformation. The test compares both ends afterwards. */
export async function pipeline(stack: Stack, hook: RecordingServer, name: string) {
  const client = api(stack);
  const { source } = (await client.post('/v2/sources', { name, type: 'HTTP', enabled: true })).body;
  const config = { webhookUrl: `${hook.url}/hook` };
  const { destination } = (await client.post('/v2/destinations', { name, type: 'WEBHOOK', enabled: true, config }))
    .body;
  await client.post('/v2/connections', { sourceId: source.id, destinationId: destination.id, enabled: true });
  const code = `export function transformEvent(event) { event.passed = true; return event; }`;
  const published = await client.post('/transformations?publish=true', {
    name,
    code,
    destinationIds: [destination.id],
  });
  if (published.status !== 200) throw new Error(`the transformation was not published: ${published.text}`);
  await untilLive(stack, hook, destination.id);
  return {
    writeKey: source.writeKey as string,
    sourceId: source.id as string,
    destinationId: destination.id as string,
  };
}

/** Sends events from another source, one after the other, until one has passed through the published code. */
async function untilLive(stack: Stack, hook: RecordingServer, destinationId: string): Promise<void> {
  const client = api(stack);
  const { source } = (await client.post('/v2/sources', { name: `to ${destinationId}`, type: 'HTTP', enabled: true }))
    .body;
  await client.post('/v2/connections', { sourceId: source.id, destinationId, enabled: true });
  const hasPassed = async () => {
    const probe = trackEvent({ event: 'Probe' });
    await api(stack, { writeKey: source.writeKey }).post('/v1/track', probe);
    const isProbe = ({ json }: { json: unknown }) => (json as typeof probe)['messageId'] === probe['messageId'];
    const { json } = await until('the probe to arrive', () => hook.requests.find(isProbe));
    return (json as { passed?: boolean }).passed;
  };
  await until('the published code to be live', hasPassed);
  hook.clear();
}

/** Sends like an SDK: at a steady rate, and each event repeatedly until the answer is 200. */
export class Sender {
  /** Acknowledged message ids by event name. */
  readonly acknowledged = new Map<string, Set<string>>();
  /** Events that each gateway acknowledged, in the order of the stack's addresses. */
  readonly takenBy: number[] = [];
  private readonly underWay = new Set<Promise<void>>();
  private sent = 0;

  constructor(
    private readonly stack: Stack,
    private readonly writeKey: string,
  ) {}

  async sendFor(event: string, seconds: number): Promise<void> {
    for (let n = 0; n < seconds * EVENTS_PER_SECOND; n += 1) {
      this.send(event);
      await sleep(1_000 / EVENTS_PER_SECOND);
    }
  }

  /** Resolves when every event is acknowledged. */
  async settled(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay);
  }

  private send(event: string): void {
    this.sent += 1;
    const body = trackEvent({ event, userId: `user-${this.sent % 7}`, n: this.sent });
    const sending = this.untilTaken(event, body, this.sent % this.stack.urls.length).finally(() =>
      this.underWay.delete(sending),
    );
    this.underWay.add(sending);
  }

  private async untilTaken(event: string, body: Record<string, unknown>, replica: number): Promise<void> {
    const client = api(this.stack, { writeKey: this.writeKey }, replica);
    for (;;) {
      const answer = await client.post('/v1/track', body).catch(() => undefined);
      if (answer?.status === 200) break;
      await sleep(RETRY_MS);
    }
    this.takenBy[replica] = (this.takenBy[replica] ?? 0) + 1;
    const ids = this.acknowledged.get(event) ?? new Set();
    this.acknowledged.set(event, ids.add(body['messageId'] as string));
  }
}

/** Number of distinct events by event name. */
export const countsOf = (ids: Map<string, Set<string>>): Record<string, number> =>
  Object.fromEntries([...ids].map(([name, set]) => [name, set.size]).sort());

/** Events that area D counts for a source, by event name. */
export async function collected(stack: Stack, writeKey: string): Promise<Record<string, number>> {
  const models = await until('area D to answer', async () => {
    const { status, body } = await api(stack, 'admin').get('/schemas/event-models', { query: { WriteKey: writeKey } });
    return status === 200 && (body as { EventIdentifier: string; TotalCount: number }[]);
  });
  return Object.fromEntries(models.map((model) => [model.EventIdentifier, model.TotalCount]).sort());
}

/** Message ids that a webhook received, by event name. Duplicates count once. */
export function delivered(hook: RecordingServer): Map<string, Set<string>> {
  const ids = new Map<string, Set<string>>();
  for (const { json } of hook.requests) {
    const { event, messageId } = json as { event: string; messageId: string };
    ids.set(event, (ids.get(event) ?? new Set()).add(messageId));
  }
  return ids;
}
