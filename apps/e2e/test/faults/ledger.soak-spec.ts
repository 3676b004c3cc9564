import { beforeAll, describe, expect, it } from '@jest/globals';
import { useStack } from '@weir/local';
import { isTestBrokerReliable, until } from '@weir/testing';
import { countedBy, Ledger, sourcePerPartition, spreadSource } from './ledger.js';

/** One round, or three with WEIR_TEST_FULL=1. */
const ROUNDS = process.env['WEIR_TEST_FULL'] === '1' ? 3 : 1;
/** Enough to have requests, publishes and acknowledgements under way at every moment. */
const EVENTS_BEFORE_KILL = 1_000;
const EVENTS_AFTER_KILL = 500;

const onReliableBroker = (await isTestBrokerReliable()) ? describe : describe.skip;

/**
 * Kills the broker and the gateway together with SIGKILL, under load that reaches every partition. An old broker forgets messages
 * when it is killed while it writes down a consumer's place (deploy/README.md, Durability), so it is not a subject of this test.
 */
onReliableBroker('broker and gateway that are killed together', () => {
  const stack = useStack();
  let writeKeys: string[];
  let ledger: Ledger;

  const counted = () => countedBy(stack().address, writeKeys);

  beforeAll(async () => {
    writeKeys = [...(await sourcePerPartition(stack().address)), await spreadSource(stack().address)];
    ledger = new Ledger(stack().address, writeKeys);
  });

  it(`lose no event that was acknowledged and count none twice, however often: ${ROUNDS}`, async () => {
    ledger.start();
    const inUse = async () => Object.values(await counted()).every((count) => count > 0);
    await until('every partition to have carried traffic', inUse);
    for (let round = 0; round < ROUNDS; round += 1) {
      await ledger.untilMore(EVENTS_BEFORE_KILL);
      stack().kill('nats-server');
      stack().kill('gateway.main');
      await Promise.all([stack().untilReady('nats-server'), stack().untilReady('gateway.main')]);
      await ledger.untilMore(EVENTS_AFTER_KILL);
    }
    await ledger.stop();
    const complete = async () => JSON.stringify(await counted()) === JSON.stringify(ledger.counts);
    await until('every event to be counted', complete).catch(() => undefined);
    expect(await counted()).toEqual(ledger.counts);
  });
});
