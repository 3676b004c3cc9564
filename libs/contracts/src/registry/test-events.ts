import { MESSAGE_TYPES, type MessageType } from '../events.js';
import type { JsonObject } from '../ids.js';

const SENT_AT = '2026-01-01T00:00:00.000Z';

const FIELDS: Record<MessageType, JsonObject> = {
  identify: { traits: { name: 'Ada Example', email: 'ada@example.com', plan: 'free' } },
  track: { event: 'Order Completed', properties: { orderId: 'order-1', revenue: 12.5, currency: 'EUR', products: [] } },
  page: { name: 'Home', properties: { title: 'Home', url: 'https://example.com/', path: '/', referrer: '' } },
  screen: { name: 'Main', properties: { title: 'Main' } },
  group: { groupId: 'group-1', traits: { name: 'Example Ltd', employees: 20 } },
  alias: { previousId: 'user-0' },
};

/** Default test events: one of each type, with the fields that every real event has. */
export const DEFAULT_EVENTS: readonly JsonObject[] = MESSAGE_TYPES.map((type) => ({
  type,
  messageId: `test-${type}`,
  userId: 'user-1',
  anonymousId: 'anonymous-1',
  channel: 'server',
  context: { library: { name: 'weir-test', version: '1.0.0' }, ip: '192.0.2.1', locale: 'en-GB', traits: {} },
  integrations: { All: true },
  originalTimestamp: SENT_AT,
  sentAt: SENT_AT,
  receivedAt: SENT_AT,
  timestamp: SENT_AT,
  ...FIELDS[type],
}));

/** The result of `metadata(event)` in a test. It has the same names as live metadata, so that code that reads them runs. */
export const testMetadata = (workspaceId: string, event: JsonObject): JsonObject => ({
  workspaceId,
  sourceId: 'test-source',
  sourceName: 'Test source',
  sourceType: 'HTTP',
  sourceCategory: '',
  destinationId: 'test-destination',
  destinationName: 'Test destination',
  destinationType: 'WEBHOOK',
  ...(typeof event['messageId'] === 'string' && { messageId: event['messageId'] }),
});
