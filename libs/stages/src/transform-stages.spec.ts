import { describe, expect, it } from '@jest/globals';
import { eventMetadata } from './transform-stages.js';

describe('eventMetadata', () => {
  const destination = { id: 'd1', name: 'Hook', type: 'WEBHOOK' };
  it('holds what is known', () => {
    const event = { type: 'track', event: 'Paid', name: 'not this', messageId: 'm1', receivedAt: 'now' };
    expect(eventMetadata(event, { workspaceId: 'w1', sourceId: 's1', destination })).toEqual({
      workspaceId: 'w1',
      sourceId: 's1',
      destinationId: 'd1',
      destinationName: 'Hook',
      destinationType: 'WEBHOOK',
      messageId: 'm1',
      eventName: 'Paid',
      eventType: 'track',
      receivedAt: 'now',
    });
  });

  it('leaves out what is not', () => {
    const metadata = eventMetadata({ type: 'page', name: 'Home' }, { workspaceId: 'w1', destination });
    expect(metadata).toMatchObject({ eventName: 'Home', eventType: 'page' });
    expect(Object.keys(metadata)).not.toEqual(expect.arrayContaining(['sourceId']));
    expect(metadata).not.toHaveProperty('messageId');
  });
});
