import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { launchStack, removeStack } from '@weir/local';
import { until } from '@weir/testing';
import { DeliverySink } from './delivery-sink.js';
import { percentile, send } from './load.js';
import { figure } from './report.js';
import { connected, requestOf, type Scene } from './stack-load.js';

/** Two processes of each share the partitions. */
const ROLES = ['regulation-service.filter', 'delivery-service.deliverer'] as const;
const SIGNALS = ['SIGTERM', 'SIGKILL'] as const;
const PARTITIONS = 16;
const USERS = 64;
const EVENT_EVERY_MS = 10;
/** Longer than a lease and an acknowledgement last, so that what a round shows is over when the next begins. */
const ROUND_MS = 12_000;
const ARRIVAL_MS = 60_000;
const PATH = '/takeover';
const WORK = { name: 'takeover', batch: 1, connections: 4, users: USERS };

/**
 * `npm run bench -- takeover [--rounds 3]`: one process of two ends while events of 64 users flow through all partitions. Prints
 * how long the slowest event took that was sent around that moment, and the median of all rounds.
 */
export async function takeover(): Promise<void> {
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } }, allowPositionals: true });
  const stack = await launchStack({ replicas: 2, replicated: ROLES });
  const sink = new DeliverySink();
  const scene: Scene = { stack, sink, sinkUrl: await sink.start(), seconds: 0, partitions: PARTITIONS };
  const flow = new Flow(scene, await connected(scene, PATH));
  try {
    figure('nobody ends: slowest event', await flow.slowest(), 'ms');
    for (const role of ROLES) {
      for (const signal of SIGNALS) {
        const slowest: number[] = [];
        for (let round = 0; round < Number(values.rounds); round += 1) {
          slowest.push(await flow.slowest(() => stack.signal(role, signal, round % 2)));
          await stack.untilReady(role, round % 2);
        }
        slowest.sort((a, b) => a - b);
        figure(`${role}, ${signal}: slowest event`, percentile(slowest, 0.5), 'ms');
        figure(`${role}, ${signal}: in the worst round`, slowest.at(-1) ?? Number.NaN, 'ms');
      }
    }
  } finally {
    await sink.close();
    await removeStack(stack);
  }
}

/** Sends an event each {@link EVENT_EVERY_MS} and waits for all of them. */
class Flow {
  private sent = 0;
  private readonly agent = new Agent({ keepAlive: true });

  constructor(
    private readonly scene: Scene,
    private readonly writeKey: string,
  ) {}

  /** Milliseconds that the slowest event of a round took. `fault` happens early in it. */
  async slowest(fault: () => void = () => undefined): Promise<number> {
    const { sink, stack } = this.scene;
    sink.clear();
    const requests: Promise<number>[] = [];
    const endAt = performance.now() + ROUND_MS;
    setTimeout(fault, ROUND_MS / 4);
    while (performance.now() < endAt) {
      this.sent += 1;
      requests.push(send(this.agent, requestOf(stack, this.writeKey, WORK, this.sent)));
      await sleep(EVENT_EVERY_MS);
    }
    await Promise.all(requests);
    await until('every event of the round', () => sink.arrived(PATH) >= requests.length, ARRIVAL_MS);
    return Math.max(...(sink.latencies.get(PATH) ?? []));
  }
}
