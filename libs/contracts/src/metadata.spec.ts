import { describe, expect, it } from '@jest/globals';
import { eventMetadata, testMetadata } from './metadata.js';

describe('metadata(event)', () => {
  const destination = { id: 'd1', name: 'Hook', type: 'WEBHOOK' };
  const source = { id: 's1', name: 'Shop', type: 'HTTP' };
  const event = { type: 'track', event: 'Paid', name: 'not this', messageId: 'm1', receivedAt: 'now' };

  it('holds what is known', () => {
    expect(eventMetadata(event, { workspaceId: 'w1', source, destination })).toEqual({
      workspaceId: 'w1',
      ...{ sourceId: 's1', sourceName: 'Shop', sourceType: 'HTTP', sourceCategory: '' },
      ...{ destinationId: 'd1', destinationName: 'Hook', destinationType: 'WEBHOOK' },
      ...{ messageId: 'm1', eventName: 'Paid', eventType: 'track', receivedAt: 'now' },
    });
  });

  it('leaves out what is not', () => {
    const metadata = eventMetadata({ type: 'page', name: 'Home' }, { workspaceId: 'w1', destination });
    expect(metadata).toMatchObject({ eventName: 'Home', eventType: 'page' });
    expect(metadata).not.toHaveProperty('sourceId');
    expect(metadata).not.toHaveProperty('messageId');
    expect(eventMetadata({}, { workspaceId: 'w1', source: { id: 's1' }, destination })).toEqual({
      ...{ workspaceId: 'w1', sourceId: 's1', sourceCategory: '' },
      ...{ destinationId: 'd1', destinationName: 'Hook', destinationType: 'WEBHOOK' },
    });
  });

  it('has the same names in a test of code', () => {
    const live = eventMetadata(event, { workspaceId: 'w1', source, destination });
    expect(Object.keys(testMetadata('w1', event))).toEqual(Object.keys(live));
  });
});
