import { describe, expect, it } from '@jest/globals';
import { type Cost, type Costs, costOf, type Demand, perEvent, plan } from './model.js';

const DEMAND: Demand = {
  eventsPerSecond: 10_000,
  batch: 50,
  eventBytes: 1_000,
  destinations: 1,
  answerMs: 50,
  hotShare: 0.1,
  hotPartitions: 1,
};
const costs = (entries: Record<string, Cost>): Costs => new Map(Object.entries(entries));

describe('costOf', () => {
  it('finds what a message and what an event costs', () => {
    const cost = { message: 200, event: 30 };
    const found = costOf({ batch: 1, each: perEvent(cost, 1) }, { batch: 50, each: perEvent(cost, 50) });
    expect(found.message).toBeCloseTo(200);
    expect(found.event).toBeCloseTo(30);
  });

  it('finds no negative cost, although the runs were noisy', () => {
    expect(costOf({ batch: 1, each: 20 }, { batch: 50, each: 30 })).toEqual({ message: 0, event: 25 });
    expect(costOf({ batch: 1, each: 1_000 }, { batch: 50, each: 10 })).toEqual({ message: 500, event: 0 });
  });
});

describe('plan', () => {
  it('gives each role the processes that its cores take, and two at least', () => {
    const { roles } = plan(
      DEMAND,
      costs({ 'gateway.main': { message: 2_500, event: 50 }, 'regulation-service.main': { message: 0, event: 1 } }),
    );
    expect(roles).toEqual([
      { program: 'gateway.main', cores: 1, processes: 2 },
      { program: 'regulation-service.main', cores: 0.01, processes: 2 },
    ]);
  });

  it('counts the deliverer once for each destination, and servers without processes', () => {
    const each = { message: 0, event: 100 };
    const { roles } = plan(
      { ...DEMAND, destinations: 3 },
      costs({ 'delivery-service.deliverer': each, postgres: each }),
    );
    expect(roles).toEqual([
      { program: 'delivery-service.deliverer', cores: 3, processes: 5 },
      { program: 'postgres', cores: 1 },
    ]);
  });

  it('says when the partitions are full, and when one source fills a process', () => {
    const filter = costs({
      'regulation-service.filter': { message: 0, event: 30 },
      'gateway.main': { message: 0, event: 30 },
    });
    const limits = (demand: Partial<Demand>) => plan({ ...DEMAND, ...demand }, filter).roles.map(({ limit }) => limit);
    expect(limits({})).toEqual([undefined, undefined]);
    expect(limits({ eventsPerSecond: 1_000_000, hotShare: 0.01 })).toEqual([
      '16 partitions carry 9.6 cores, so 4 installations',
      undefined,
    ]);
    const hot = { eventsPerSecond: 100_000, hotShare: 0.5 };
    expect(limits(hot)).toEqual(['the largest source takes 1.5 cores of one process', undefined]);
    expect(limits({ ...hot, hotPartitions: 4 })).toEqual([undefined, undefined]);
  });

  it('says how much is under way, and what the servers of the broker write', () => {
    expect(plan(DEMAND, costs({}))).toEqual({ roles: [], underWay: 500, brokerBytes: 20_000_000 });
  });
});
