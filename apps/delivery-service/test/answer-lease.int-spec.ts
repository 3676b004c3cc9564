import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Subscription } from '@nats-io/transport-node';
import { ANSWERS_HELD_MS, type Call, CheckSuppression, HoldAnswers, recalledAnswersSubject } from '@weir/contracts';
import { flushed } from '@weir/messaging';
import { newKsuid } from '@weir/service-kit';
import { PatientRpcClient, until, useNats } from '@weir/testing';
import { ANSWER_AGE_MS_MAX, AnswerLease } from '../src/checks/answer-lease.js';
import { SuppressionCheck } from '../src/checks/suppression-check.js';

const nats = useNats();
const workspaceId = newKsuid();
const ofAda = { workspaceId, sourceId: newKsuid(), userIds: ['ada'], receivedAt: '2026-01-02T00:00:00.000Z' };
const another = { ...ofAda, workspaceId: newKsuid() };

let lease: AnswerLease;
let check: SuppressionCheck;
let regulated: string[];
let isRevoked: boolean;
let holders: string[];
let asked: number;
/** Runs before the stand-in answers a check. */
let beforeAnswer: () => Promise<unknown>;
let skippedMs: number;
let services: Subscription[];

/** Stands in for a call of the regulation service. */
function answer(call: Call, reply: (request: never) => unknown): void {
  const callback = (_: Error | null, message: { json<T>(): T; respond(data: string): boolean }) => {
    const { id, data } = message.json<{ id: string; data: never }>();
    const response = reply(data);
    const respond = () => message.respond(JSON.stringify({ id, isDisposed: true, response }));
    void (call === CheckSuppression ? beforeAnswer() : Promise.resolve()).then(respond);
  };
  services.push(nats.connection.subscribe(call.subject, { callback }));
}

const recall = (recalled: object) =>
  nats.connection.request(recalledAnswersSubject(holders.at(-1) ?? ''), JSON.stringify(recalled));

beforeEach(async () => {
  [regulated, holders, services, asked, skippedMs, isRevoked] = [[], [], [], 0, 0, false];
  beforeAnswer = async () => undefined;
  // a clock that only moves when it is read: the pauses of a busy machine would end a lease of 2 s
  let ticks = performance.now();
  jest.spyOn(performance, 'now').mockImplementation(() => {
    ticks += 0.001;
    return ticks + skippedMs;
  });
  answer(HoldAnswers, ({ holder, ends }: { holder: string; ends: boolean }) => {
    holders.push(holder);
    return { held: !ends && !isRevoked };
  });
  answer(CheckSuppression, ({ userIds }: { userIds: string[] }) => {
    asked += 1;
    return { suppressed: regulated, deleted: [], regulated: userIds.filter((id) => regulated.includes(id)) };
  });
  await flushed(nats.connection);
  const rpc = new PatientRpcClient(nats.connection);
  lease = new AnswerLease(nats.connection, rpc);
  check = new SuppressionCheck(rpc, lease);
  await lease.renew();
});

afterEach(async () => {
  await lease.onModuleDestroy();
  jest.restoreAllMocks();
  for (const service of services) service.unsubscribe();
});

/** Whether the check of this event asked the service. */
async function asks(one = ofAda): Promise<boolean> {
  const before = asked;
  await check.isSuppressed(one);
  return asked > before;
}

describe('answers under a lease', () => {
  it('are used again, for every source, until they are old', async () => {
    expect(await asks()).toBe(true);
    expect(await asks()).toBe(false);
    expect(await asks({ ...ofAda, sourceId: newKsuid() })).toBe(false);
    while (skippedMs < ANSWER_AGE_MS_MAX) {
      skippedMs += ANSWERS_HELD_MS / 2;
      await lease.renew();
    }
    expect(await asks()).toBe(true);
  });

  it('are learned about many at once', async () => {
    const users = Array.from({ length: 50 }, (_, n) => ({ ...ofAda, userIds: [`u${n}`] }));
    await check.learn(users);
    for (const user of users) expect(await check.isSuppressed(user)).toBe(false);
    expect(asked).toBe(1);
  });

  it('about a user with any regulation are never used again', async () => {
    regulated = ['ada'];
    expect(await check.isSuppressed(ofAda)).toBe(true);
    regulated = [];
    expect(await check.isSuppressed(ofAda)).toBe(false);
  });

  it('end with a recall, those of other workspaces do not', async () => {
    await Promise.all([asks(), asks(another)]);
    regulated = ['ada'];
    await recall({ workspaceId });
    expect(await check.isSuppressed(ofAda)).toBe(true);
    expect(await asks(another)).toBe(false);
    await recall({});
    expect(await asks(another)).toBe(true);
  });

  it('are not kept when the recall overtook them', async () => {
    beforeAnswer = () => recall({ workspaceId });
    expect(await asks()).toBe(true);
    expect(await asks()).toBe(true);
  });

  it('end with the lease, and a lease that lapsed begins without them', async () => {
    await asks();
    skippedMs += ANSWERS_HELD_MS;
    expect(lease.isHeld).toBe(false);
    expect(await asks()).toBe(true);
    await lease.renew();
    expect(await asks()).toBe(true);
    expect(await asks()).toBe(false);
  });

  it('end when the lease is revoked, and the next one has another name', async () => {
    await asks();
    isRevoked = true;
    await lease.renew();
    expect(await asks()).toBe(true);
    isRevoked = false;
    await lease.renew();
    expect(new Set(holders).size).toBe(2);
    await asks();
    expect(await asks()).toBe(false);
    await recall({ workspaceId });
    expect(await asks()).toBe(true);
  });

  it('are given back at the end', async () => {
    await asks();
    await lease.onModuleDestroy();
    expect(await asks()).toBe(true);
    await until('the end', () => holders.length > 1);
  });
});
