import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { useStack } from '@weir/local';
import { isBrokerReliable, type RecordingServer, recordingServer } from '@weir/testing';
import { BROKER_FAULTS, BROKERS } from '../../src/chaos/broker-faults.js';
import { play } from '../../src/chaos/round.js';
import { Taps } from '../../src/chaos/taps.js';

/** Old brokers forget messages when they are killed (deploy/README.md, Durability). */
const isReliable = await isBrokerReliable();
const SEED = 1;

(isReliable ? describe : describe.skip)('a broker of three servers (needs nats-server 2.10)', () => {
  const stack = useStack({ brokers: BROKERS });
  let hook: RecordingServer;
  let taps: Taps;

  beforeAll(async () => {
    hook = await recordingServer();
    taps = await Taps.open(stack().address.natsUrl);
  });
  afterAll(() => Promise.all([taps?.close(), hook?.close()]));

  it('loses, overtakes and miscounts nothing while servers are killed, paused and restarted and leaders move', async () => {
    const round = await play({ stack: stack(), hook, taps, faults: BROKER_FAULTS }, SEED);
    expect(round.faults.length).toBeGreaterThanOrEqual(BROKER_FAULTS.length);
    expect(round).toMatchObject({ lost: [], overtaken: [], counted: round.sent });
    expect(round.sent).toBeGreaterThan(0);
  });
});
