import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { useStack } from '@weir/local';
import { isTestBrokerReliable } from '@weir/testing';
import { BROKER_FAULTS, BROKERS } from '../../src/chaos/broker-faults.js';
import { Links } from '../../src/chaos/links.js';
import { randomOf } from '../../src/chaos/random.js';
import { play } from '../../src/chaos/round.js';
import { Sink } from '../../src/chaos/sink.js';

/** Earlier servers skip messages when leaders change (deploy/README.md, Durability). */
const isReliable = await isTestBrokerReliable(BROKERS);
const SEED = 1;
/** Other tests run beside it. */
const PATIENCE = 3;

(isReliable ? describe : describe.skip)('a broker of three servers (needs nats-server 2.11)', () => {
  const links = new Links(randomOf(SEED));
  const stack = useStack({ brokers: BROKERS, link: links.link });
  let sink: Sink;

  beforeAll(async () => {
    sink = await Sink.open();
  });
  afterAll(async () => {
    await sink?.close();
    links.close();
  });

  it('keeps every promise while servers are killed, paused and restarted and leaders move', async () => {
    const round = await play(
      { stack: stack(), sink, links },
      { name: 'cluster', faults: BROKER_FAULTS, minutes: 0, patience: PATIENCE, histories: stack().address.dataDir },
      SEED,
    );
    expect(round).toMatchObject({ violations: [], waiting: {}, isAtRest: true });
    expect(round.fates['delivered']).toBeGreaterThan(0);
  });
});
