import { type NatsConnection, NoRespondersError } from '@nats-io/transport-node';
import { memberSubject, partitionsReleasedSubject } from '@weir/contracts';
import { within } from './concurrency.js';
import type { StreamRole } from './streams.js';

/**
 * The broker between the members of a role, which the work on a lease needs, too. Word of free leases may get lost. Members look
 * once a second anyway.
 */
export interface MemberLink {
  /** When the connection began, in milliseconds of `performance.now()`. Infinite while there is none. */
  readonly upSince: number;
  /** Resolves when the broker has answered. */
  reach(): Promise<void>;
  /** Tells the others that a lease is free. */
  announce(): void;
  /** Calls back when a member announces one, and when the connection ends or begins. Returns what ends that. */
  follow(onNews: () => void): () => void;
  /** Answers questions to this member from now on. Resolves to false if it may not. */
  answerFor(member: string): Promise<boolean>;
  /** Whether the broker says that nobody would answer for the member. */
  isGone(member: string): Promise<boolean>;
}

/** A member asks between two renewals of its leases, which must not wait for long. */
const ANSWER_TIMEOUT_MS = 1_000;

/** The members of a role over the broker. */
export class BrokerMemberLink implements MemberLink {
  upSince = performance.now();
  private readonly watchers = new Set<() => void>();

  constructor(
    private readonly nats: NatsConnection,
    private readonly role: StreamRole,
  ) {
    void this.watch();
  }

  async reach(): Promise<void> {
    if (this.upSince === Number.POSITIVE_INFINITY) throw new Error('the broker is away');
    await within(ANSWER_TIMEOUT_MS, 'the broker', this.nats.flush());
  }

  announce(): void {
    if (!this.nats.isClosed()) this.nats.publish(partitionsReleasedSubject(this.role));
  }

  follow(onNews: () => void): () => void {
    this.watchers.add(onNews);
    const subscription = this.nats.subscribe(partitionsReleasedSubject(this.role), { callback: () => onNews() });
    return () => {
      this.watchers.delete(onNews);
      subscription.unsubscribe();
    };
  }

  async answerFor(member: string): Promise<boolean> {
    let isAllowed = true;
    const answering = this.nats.subscribe(memberSubject(this.role, member), {
      callback: (error, request) => {
        if (error) isAllowed = false;
        else request.respond();
      },
    });
    try {
      await this.reach(); // a refusal comes before the answer
      return isAllowed;
    } catch (error) {
      answering.unsubscribe();
      throw error;
    }
  }

  async isGone(member: string): Promise<boolean> {
    try {
      await this.nats.request(memberSubject(this.role, member), '', { timeout: ANSWER_TIMEOUT_MS });
      return false;
    } catch (error) {
      return [error, (error as Error).cause].some((reason) => reason instanceof NoRespondersError);
    }
  }

  private async watch(): Promise<void> {
    for await (const { type } of this.nats.status()) {
      if (type === 'disconnect' || type === 'close') {
        this.upSince = Number.POSITIVE_INFINITY;
      } else if (type === 'reconnect') {
        this.upSince = performance.now();
      } else continue;
      for (const onNews of this.watchers) onNews();
    }
  }
}
