import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { isEgressError } from '@weir/egress';
import { type Lease, LeaseKeeper, LeaseTable, Periodic } from '@weir/messaging';
import { Database, Metrics } from '@weir/service-kit';
import {
  type Busy,
  type Notification,
  NotificationRepository,
  WORKSPACE_SENDS_MAX,
} from './notification.repository.js';
import { quietUntil } from './quiet-hours.js';
import { Senders } from './senders.js';
import { TroubleWatch } from './trouble-watch.js';

const LOOK_MS = 15_000;
const SEND_MS = 1_000;
/** Messages that are sent at once, of all workspaces. */
const SENDS_MAX = 64;
/** Enough of a failure's text to know what to do. */
const ERROR_CHARS_MAX = 200;

/**
 * Looks for trouble and sends the messages, in one process at a time. Everything that it knows is in the database, so a restart
 * repeats nothing that was sent and forgets nothing that was not.
 */
@Injectable()
export class Notifier implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(Notifier.name);
  private readonly leases: LeaseTable;
  private readonly keeper: LeaseKeeper;
  private readonly messages;
  private readonly sending = new Map<Notification, Promise<void>>();
  private lease: Lease | undefined;
  private readonly looks = new Periodic({
    task: 'look for trouble',
    everyMs: LOOK_MS,
    run: () => this.look(),
    log: this.logger,
  });
  private readonly claims = new Periodic({
    task: 'send messages',
    everyMs: SEND_MS,
    run: () => this.claim(),
    log: this.logger,
  });

  constructor(
    database: Database,
    metrics: Metrics,
    private readonly watch: TroubleWatch,
    private readonly notifications: NotificationRepository,
    private readonly senders: Senders,
  ) {
    const holder = { take: (lease: Lease) => this.lead(lease), drop: () => this.follow() };
    this.leases = new LeaseTable(database, { role: 'notifier', slots: 1 });
    this.keeper = new LeaseKeeper(this.leases, holder, this.logger);
    this.messages = metrics.counter({
      name: 'weir_notifications_total',
      help: 'Attempts to send a notification, by channel type and result',
      labelNames: ['type', 'result'],
    });
  }

  onApplicationBootstrap(): void {
    this.keeper.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.keeper.stop();
  }

  private lead(lease: Lease): void {
    this.lease = lease;
    this.looks.start();
    this.claims.start();
    void this.looks.run();
  }

  private async follow(): Promise<void> {
    this.lease = undefined;
    await Promise.all([this.looks.stop(), this.claims.stop()]);
    await Promise.all(this.sending.values());
  }

  private get isLeading(): boolean {
    return this.lease?.isHeld ?? false;
  }

  private async look(): Promise<void> {
    const { lease } = this;
    if (lease) await this.watch.look({ goOn: () => lease.isHeld, confirm: (sql) => this.leases.confirm(sql, lease) });
  }

  private async claim(): Promise<void> {
    const free = SENDS_MAX - this.sending.size;
    if (free <= 0 || !this.isLeading) return;
    for (const notification of await this.notifications.claim(free, this.busy())) {
      const work = this.deliver(notification)
        .catch((error: Error) => this.logger.warn(`the state of a message is unknown: ${error.message}`))
        .finally(() => this.sending.delete(notification));
      this.sending.set(notification, work);
    }
  }

  private busy(): Busy {
    const underWay = [...this.sending.keys()];
    const full = Map.groupBy(underWay, ({ workspaceId }) => workspaceId);
    const workspaces = [...full].filter(([, own]) => own.length >= WORKSPACE_SENDS_MAX).map(([id]) => id);
    const channelsOf = (some: Notification[]) => some.map(({ channelId }) => channelId);
    const [tests, others] = [underWay.filter(isTest), underWay.filter((one) => !isTest(one))];
    return { channels: channelsOf(others), testedChannels: channelsOf(tests), workspaces };
  }

  private async deliver(notification: Notification): Promise<void> {
    const { id, type, quietHours } = notification;
    const until = isTest(notification) ? undefined : quietUntil(quietHours, new Date());
    if (until) return this.notifications.putOff(id, until);
    try {
      await this.senders.send(notification);
    } catch (error) {
      this.messages.inc({ type, result: 'failed' });
      return this.notifications.failed(id, textOf(error));
    }
    this.messages.inc({ type, result: 'sent' });
    await this.notifications.sent(id);
  }
}

const isTest = ({ what }: Notification): boolean => what === 'test';

/** An egress error may name a host, for example from a certificate. Its code says enough. */
const textOf = (error: unknown): string =>
  isEgressError(error) ? `No answer: ${error.code}` : (error as Error).message.slice(0, ERROR_CHARS_MAX);
