import { describe, expect, it } from '@jest/globals';
import type { Call, CheckSuppression, JsonObject, ReplyOf, RequestOf } from '@weir/contracts';
import type { RpcClient } from '@weir/messaging';
import { AllowedEvents } from './allowed-events.js';

type Reply = Partial<ReplyOf<typeof CheckSuppression>>;

const event = (sourceId: string, userId: string) => ({
  ...{ sourceId, receivedAt: '2026-03-01T10:00:00.000Z', event: { type: 'track', userId } as JsonObject },
});

/** Answers with `reply`, and notes who was asked about. */
function asked(reply: (request: RequestOf<typeof CheckSuppression>) => Reply) {
  const questions: string[] = [];
  const send = async (_: Call, request: RequestOf<typeof CheckSuppression>) => {
    questions.push(`${request.sourceId}: ${request.userIds.join(' ')}`);
    return { suppressed: [], deleted: [], ...reply(request) };
  };
  return { questions, allowed: new AllowedEvents({ send } as unknown as RpcClient) };
}

const usersOf = (events: { event: JsonObject }[]) => events.map(({ event: { userId } }) => userId);

describe('events of several sources', () => {
  const events = [event('a', 'u1'), event('b', 'u2'), event('b', 'u3'), event('c', 'u4')];

  it('cost one question for each source that has users with a regulation', async () => {
    const { questions, allowed } = asked(({ sourceId }) => ({
      regulated: ['u3'],
      suppressed: sourceId === 'b' ? ['u3'] : [],
    }));
    expect(usersOf(await allowed.of('w', events))).toEqual(['u1', 'u2', 'u4']);
    expect(questions).toEqual(['a: u1 u2 u3 u4', 'b: u3']);
  });

  it('are asked about one by one if the answer does not tell who has a regulation', async () => {
    const { questions, allowed } = asked(({ sourceId }) => ({ suppressed: sourceId === 'a' ? ['u2'] : [] }));
    expect(usersOf(await allowed.of('w', events))).toEqual(['u1', 'u2', 'u3', 'u4']);
    expect(questions).toEqual(['a: u1 u2 u3 u4', 'b: u2 u3', 'c: u4']);
  });
});
