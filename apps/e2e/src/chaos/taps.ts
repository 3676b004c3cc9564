import { connect, type NatsConnection } from '@nats-io/transport-node';

/** The stages of an event before its destination, by subject. */
const STAGES = { raw: 'events.raw.>', accepted: 'events.accepted.>', queued: 'deliveries.>' } as const;

export type Stage = keyof typeof STAGES;

/** Records in which order events pass the streams, so that an overtaking can be traced to the stage that caused it. */
export class Taps {
  private readonly seen = new Map<Stage, string[]>();

  private constructor(private readonly nats: NatsConnection) {
    for (const stage of Object.keys(STAGES) as Stage[]) {
      this.seen.set(stage, []);
      nats.subscribe(STAGES[stage], { callback: (_, message) => this.note(stage, message.string()) });
    }
  }

  static async open(natsUrl: string): Promise<Taps> {
    const { host, username, password } = new URL(natsUrl);
    const nats = await connect({
      servers: host,
      user: decodeURIComponent(username),
      pass: decodeURIComponent(password),
    });
    return new Taps(nats);
  }

  /** Ids of events in the order in which they passed. */
  passed(stage: Stage): readonly string[] {
    return this.seen.get(stage) ?? [];
  }

  clear(): void {
    for (const stage of this.seen.keys()) this.seen.set(stage, []);
  }

  close(): Promise<void> {
    return this.nats.close();
  }

  private note(stage: Stage, text: string): void {
    for (const [, id] of text.matchAll(/"messageId":"([^"]+)"/g)) if (id) this.seen.get(stage)?.push(id);
  }
}
