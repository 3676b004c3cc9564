import { describe, expect, it } from '@jest/globals';
import { SingleFlight } from './single-flight.js';

/** A flight whose runs end when the test says so. */
function controlled() {
  const runs: { end: () => void; fail: (error: Error) => void }[] = [];
  const flight = new SingleFlight(() => new Promise((end, fail) => void runs.push({ end, fail })));
  return { flight, runs };
}

const settle = () => new Promise((done) => setTimeout(done, 0));

describe('SingleFlight', () => {
  it('serves callers that wait with one run, which begins after they called', async () => {
    const { flight, runs } = controlled();
    const first = flight.run();
    const waiting = [flight.run(), flight.run()];
    await settle();
    expect(runs).toHaveLength(1);
    runs[0]?.end();
    await first;
    await settle();
    expect(runs).toHaveLength(2);
    runs[1]?.end();
    await Promise.all(waiting);
    expect(runs).toHaveLength(2);
  });

  it('fails the callers of a failed run only', async () => {
    const { flight, runs } = controlled();
    const first = flight.run().catch((error: Error) => error.message);
    const second = flight.run().then(() => 'done');
    runs[0]?.fail(new Error('broker away'));
    expect(await first).toBe('broker away');
    await settle();
    runs[1]?.end();
    expect(await second).toBe('done');
  });

  it('begins anew after it has come to rest', async () => {
    const { flight, runs } = controlled();
    for (const round of [0, 1, 2]) {
      const run = flight.run();
      runs[round]?.end();
      await run;
    }
    expect(runs).toHaveLength(3);
  });

  it('starts a third run for who calls during the second', async () => {
    const { flight, runs } = controlled();
    void flight.run();
    void flight.run();
    runs[0]?.end();
    await settle();
    const third = flight.run();
    runs[1]?.end();
    await settle();
    expect(runs).toHaveLength(3);
    runs[2]?.end();
    await third;
  });
});
