import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { AppError } from '@weir/contracts';
import type { Log } from './lease-keeper.js';
import { Periodic } from './periodic.js';
import { partitionConsumer, STREAM_OF, type StreamRole } from './streams.js';
import { consumersOf, describe, isRoleOn, type TopologyFault, topologyFaults } from './topology.js';

/** How often the broker is compared with the code. The broker reports the deletion of a consumer at once. */
const CHECK_MS = 5_000;
const API_TIMEOUT_MS = 2_000;

export interface TopologyWatchOptions {
  nats: NatsConnection;
  /** Names of the streams that this process reads or writes. */
  streams: readonly string[];
  /** Roles whose consumers this process needs. */
  roles: readonly StreamRole[];
  /** The role whose missing consumers this process recreates. It needs the broker's permission for that. */
  own?: StreamRole;
  log: Log;
}

/** How many bytes a stream holds, and how many it may hold. */
export interface StreamFill {
  stream: string;
  bytes: number;
  bytesMax: number;
}

/**
 * Compares the broker with the code while a process runs, because a stream or consumer may be deleted by hand. Immediately
 * recreates a missing consumer of the process's own role, unless the operator has turned that role off. The consumer begins with the
 * messages that the stream still holds.
 */
export class TopologyWatch {
  private missing: TopologyFault[] = [];
  private changed: TopologyFault[] = [];
  private made = 0;
  private manager: Promise<JetStreamManager> | undefined;
  private readonly checks;
  private deletions: Subscription[] = [];

  constructor(private readonly options: TopologyWatchOptions) {
    this.checks = new Periodic({
      task: 'compare the broker with the code',
      everyMs: CHECK_MS,
      run: () => this.compare(),
      log: options.log,
    });
  }

  start(): void {
    const { nats, roles } = this.options;
    const streams = new Set(roles.map((role) => STREAM_OF[role]));
    this.deletions = [...streams].map((stream) =>
      nats.subscribe(`$JS.EVENT.ADVISORY.CONSUMER.DELETED.${stream}.>`, { callback: () => this.check() }),
    );
    this.check();
    this.checks.start();
    void this.followBroker();
  }

  async stop(): Promise<void> {
    for (const subscription of this.deletions) subscription.unsubscribe();
    await this.checks.stop();
  }

  /** Describes what is missing, as a reason for not being ready. */
  get reason(): string | undefined {
    return this.missing.length > 0 ? `${this.missing.map(describe).join('; ')}: run the migrations` : undefined;
  }

  /** How many streams and consumers are missing or differ, and how many consumers were recreated. Each recreated consumer may have lost events. */
  get figures(): { missing: number; changed: number; made: number } {
    return { missing: this.missing.length, changed: this.changed.length, made: this.made };
  }

  /** How full the streams of this process are. Leaves out streams that are missing or have no limit. */
  async fill(): Promise<StreamFill[]> {
    const { streams } = await this.jetstream();
    const infos = await Promise.allSettled(this.options.streams.map((name) => streams.info(name)));
    return infos.flatMap((info) => {
      if (info.status === 'rejected' || info.value.config.max_bytes <= 0) return [];
      const { config, state } = info.value;
      return [{ stream: config.name, bytes: state.bytes, bytesMax: config.max_bytes }];
    });
  }

  /** Throws `unavailable` while a consumer of the partition is missing, because the stream would drop its messages. */
  assertConsumers(partition: number): void {
    const names = this.options.roles.map((role) => partitionConsumer(role, partition));
    const fault = this.missing.find(({ consumer }) => consumer === undefined || names.includes(consumer));
    if (fault) throw new AppError('unavailable', `Events wait, because ${describe(fault)}`);
  }

  private check(): void {
    void this.checks.run();
  }

  private async compare(): Promise<void> {
    const faults = await topologyFaults(await this.jetstream(), this.options);
    const isMissing = ({ problem }: TopologyFault) => problem === 'is missing';
    const before = new Set([...this.missing, ...this.changed].map(describe));
    this.missing = faults.filter(isMissing);
    this.changed = faults.filter((fault) => !isMissing(fault));
    for (const fault of faults.map(describe)) if (!before.has(fault)) this.options.log.warn(fault);
    await this.makeOwn();
  }

  private async makeOwn(): Promise<void> {
    const { own, log } = this.options;
    if (!own) return;
    const missing = new Set(this.missing.map(({ consumer }) => consumer));
    const mine = consumersOf(own).filter(({ durable_name }) => missing.has(durable_name));
    const manager = await this.jetstream();
    if (mine.length === 0 || !(await isRoleOn(manager, own))) return;
    for (const wanted of mine) {
      await manager.consumers.add(STREAM_OF[own], wanted);
      this.missing = this.missing.filter(({ consumer }) => consumer !== wanted.durable_name);
      this.made += 1;
      log.warn(
        `consumer ${wanted.durable_name} was missing and was recreated. Events of the time without it may be lost`,
      );
    }
  }

  private jetstream(): Promise<JetStreamManager> {
    this.manager ??= jetstreamManager(this.options.nats, { timeout: API_TIMEOUT_MS, checkAPI: false });
    return this.manager;
  }

  /** Advisories sent while the connection was down are lost, so this checks after each reconnect. */
  private async followBroker(): Promise<void> {
    for await (const { type } of this.options.nats.status()) if (type === 'reconnect') this.check();
  }
}
