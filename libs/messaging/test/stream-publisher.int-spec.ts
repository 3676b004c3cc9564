import { describe, expect, it } from '@jest/globals';
import { useNats } from '@weir/testing';
import { StreamPublisher } from '../src/index.js';

const nats = useNats();
const ID = 'Nats-Msg-Id';

/** Answers like a broker whose leader changed between the id and the message: the message `one` is in doubt. */
function brokerInDoubt(answer: object) {
  const ids: (string | undefined)[] = [];
  const subscription = nats.connection.subscribe('elsewhere', {
    callback: (_error, message) => {
      const id = message.headers?.get(ID) || undefined;
      ids.push(id);
      message.respond(JSON.stringify({ stream: 'ELSEWHERE', seq: 7, ...(id === 'one' && answer) }));
    },
  });
  return { ids, stop: () => subscription.unsubscribe() };
}

describe('StreamPublisher', () => {
  it.each([
    ['2.10', { seq: 0, duplicate: true }],
    ['2.12', { error: { code: 409, err_code: 10158, description: 'duplicate message id is in process' } }],
  ])(
    'sends a message again, and says under which id, when a broker %s knows its id but has not stored it',
    async (_version, answer) => {
      const broker = brokerInDoubt(answer);
      const published = await new StreamPublisher(nats.connection).publish('elsewhere', { n: 1 }, { msgId: 'one' });
      broker.stop();
      expect(published).toEqual({ duplicate: false, sequence: 7, msgId: broker.ids[1] });
      expect(broker.ids).toEqual(['one', expect.stringMatching(/./)]);
    },
  );

  it('sends a message once when the broker has it already', async () => {
    const broker = brokerInDoubt({ seq: 5, duplicate: true });
    const published = await new StreamPublisher(nats.connection).publish('elsewhere', { n: 1 }, { msgId: 'one' });
    broker.stop();
    expect(published).toEqual({ duplicate: true, sequence: 5, msgId: 'one' });
    expect(broker.ids).toEqual(['one']);
  });
});
