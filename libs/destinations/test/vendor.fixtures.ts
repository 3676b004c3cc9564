import type { JsonObject } from '@weir/contracts';
import type { DestinationKind, Outbound, OutboundRequest, Payload } from '../src/kind.js';

/**
 * A vendor at `base` that answers by call, such as `POST users`. An object is the JSON body, a number is a failure status, and
 * anything else gives an empty object.
 */
export class Vendor {
  readonly sent: OutboundRequest[] = [];

  constructor(
    private readonly base: string,
    private readonly answers: Readonly<Record<string, JsonObject | number>>,
  ) {}

  readonly outbound: Outbound = {
    request: async (request) => {
      this.sent.push(request);
      const answer = this.answers[this.nameOf(request)] ?? {};
      const [status, body] = typeof answer === 'number' ? [answer, {}] : [200, answer];
      const headers = { 'content-type': 'application/json' };
      return { status, headers, body: Buffer.from(JSON.stringify(body)), truncated: false };
    },
    connect: () => Promise.reject(new Error('no connection')),
  };

  get names(): string[] {
    return this.sent.map((request) => this.nameOf(request));
  }

  /** Delivers payloads one by one and returns their statuses. */
  async take(
    deliver: NonNullable<DestinationKind['deliver']>,
    payloads: readonly Payload[],
    config: JsonObject,
  ): Promise<number[]> {
    const statuses: number[] = [];
    for (const payload of payloads) {
      statuses.push((await deliver(payload, config, this.outbound, { idempotencyKey: 'i' })).status);
    }
    return statuses;
  }

  private nameOf({ method, url }: OutboundRequest): string {
    return `${method} ${url.replace(this.base, '')}`;
  }
}
