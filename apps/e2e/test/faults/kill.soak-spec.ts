import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PROCESSES } from '@weir/contracts';
import { useStack } from '@weir/local';
import { isTestBrokerReliable, type RecordingServer, recordingServer, until } from '@weir/testing';
import { collected, countsOf, delivered, pipeline, Sender } from '../support/traffic.js';

/** Old brokers forget messages when they are killed (deploy/README.md, Durability). */
const BROKERS = (await isTestBrokerReliable()) ? (['nats-server'] as const) : [];
const PROGRAMS = [...PROCESSES, 'postgres', ...BROKERS] as const;
const BEFORE_SECONDS = 0.5;
const AFTER_SECONDS = 1.5;

/** Kills each program in turn with SIGKILL, while 100 events flow per second. */
describe('a process that is killed', () => {
  const stack = useStack();
  let hook: RecordingServer;
  let sender: Sender;
  let writeKey: string;

  beforeAll(async () => {
    hook = await recordingServer();
    ({ writeKey } = await pipeline(stack().address, hook, 'faults'));
    sender = new Sender(stack().address, writeKey);
  });

  afterAll(() => hook.close());

  it.each(PROGRAMS)('%s comes back by itself, and every event is taken in the end', async (program) => {
    const event = `Sent while ${program} is killed`;
    await sender.sendFor(event, BEFORE_SECONDS);
    stack().kill(program);
    await sender.sendFor(event, AFTER_SECONDS);
    await stack().untilReady(program);
    await sender.settled();
    expect(sender.acknowledged.get(event)?.size).toBe((BEFORE_SECONDS + AFTER_SECONDS) * 100);
  });

  it('loses no acknowledged event on its way to the destination', async () => {
    const wanted = countsOf(sender.acknowledged);
    const arrived = () => JSON.stringify(countsOf(delivered(hook))) === JSON.stringify(wanted);
    await until('every event to arrive', arrived).catch(() => undefined);
    expect(countsOf(delivered(hook))).toEqual(wanted);
  });

  it('lets nothing by without the published transformation', () => {
    const events = hook.requests.map(({ json }) => json as { event: string; passed?: boolean });
    expect(events.filter(({ passed }) => !passed).map(({ event }) => event)).toEqual([]);
  });

  it('loses none and counts none twice in area D', async () => {
    const wanted = countsOf(sender.acknowledged);
    const complete = async () => JSON.stringify(await collected(stack().address, writeKey)) === JSON.stringify(wanted);
    await until('every event to be counted', complete).catch(() => undefined);
    expect(await collected(stack().address, writeKey)).toEqual(wanted);
  });
});
