import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Kafka, logLevel } from 'kafkajs';

const SOURCE = join(import.meta.dirname, 'kafka-broker');
const BUILD_TIMEOUT_MS = 280_000;

/** Kept between runs, because the build takes a minute. */
const folder = join(tmpdir(), `weir-kafka-broker-${hashOf('main.go', 'go.mod', 'go.sum')}`);
const binary = join(folder, 'broker');

function hashOf(...files: string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(join(SOURCE, file)));
  return hash.digest('hex').slice(0, 12);
}

const hasGo = ((): boolean => {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** Only in a full test run, because the build takes a minute. A binary left by an earlier run must not change which tests run. */
export const canStartKafka = (isFull: boolean): boolean => isFull && (hasGo || existsSync(binary));

export interface KafkaBroker {
  address: string;
  /** Key, value and message id of everything in the topic, in the order of each partition. */
  read(topic: string, count: number): Promise<{ key: string | null; value: string; id: string }[]>;
  stop(): Promise<void>;
}

/** A broker for this test with the topics `events` and `payments`. Two servers lead their partitions. */
export async function startKafka(...options: string[]): Promise<KafkaBroker> {
  if (!existsSync(binary)) build();
  const broker = spawn(binary, options, { stdio: ['pipe', 'pipe', 'ignore'] });
  const [address] = (await once(createInterface({ input: broker.stdout }), 'line')) as [string];
  return { address, read: (topic, count) => readTopic(address, topic, count), stop: () => stop(broker) };
}

/** Builds in a separate folder first, because two test runs may build at the same time. */
function build(): void {
  const work = `${folder}.${process.pid}`;
  mkdirSync(folder, { recursive: true });
  cpSync(SOURCE, work, { recursive: true });
  execFileSync('go', ['build', '-o', 'broker', '.'], { cwd: work, stdio: 'inherit', timeout: BUILD_TIMEOUT_MS });
  renameSync(join(work, 'broker'), binary);
  rmSync(work, { recursive: true });
}

async function readTopic(address: string, topic: string, count: number) {
  const kafka = new Kafka({ brokers: [address], logLevel: logLevel.NOTHING });
  const consumer = kafka.consumer({ groupId: `test-${Math.random()}`, maxWaitTimeInMs: 100 });
  const read: { key: string | null; value: string; id: string }[] = [];
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await new Promise<void>((resolve, reject) => {
    consumer
      .run({
        eachMessage: async ({ message }) => {
          const id = message.headers?.['weir-message-id']?.toString() ?? '';
          read.push({ key: message.key?.toString() ?? null, value: message.value?.toString() ?? '', id });
          if (read.length === count) resolve();
        },
      })
      .catch(reject);
  });
  await consumer.disconnect();
  return read;
}

async function stop(broker: ChildProcess): Promise<void> {
  broker.stdin?.end();
  if (broker.exitCode === null) await once(broker, 'exit');
}
