import { type Api, type RecordingServer, uniqueName, until } from '@weir/testing';
import { delivered, eventsAt } from './hook.js';
import { intakeOf, type Source } from './inventory.js';
import { expectText } from './matchers.js';
import { made } from './workspace.js';

export interface Regulation {
  id: string;
  canceled: boolean;
  attributes: Record<string, string>;
}

export const person = (): string => uniqueName('person').replace(' ', '-');

export const regulate = async (client: Api, body: object): Promise<Regulation[]> =>
  made(await client.post('/v2/regulations', body), 201);

export const detailsOf = async (client: Api, { id }: Regulation) => made(await client.get(`/v2/regulations/${id}`));

interface Arriving {
  events: object[];
  expected: number;
  path?: string;
}

/**
 * Sends events in one batch, then one that nothing suppresses, and waits for that one and for `expected` of the batch. Returns the
 * message ids of the batch that arrived.
 */
export async function arriving(
  hook: RecordingServer,
  source: Source,
  { events, expected, path = '/hook' }: Arriving,
): Promise<string[]> {
  const ids = events.map(() => uniqueName('event'));
  const batch = events.map((event, n) => ({ type: 'track', event: 'e', ...event, messageId: ids[n] }));
  expectText(await intakeOf(source).post('/v1/batch', { batch }), 200, 'OK');
  const marker = uniqueName('marker');
  await intakeOf(source).post('/v1/track', { anonymousId: 'marker', event: 'e', messageId: marker });
  await delivered(hook, path, marker);
  const arrived = () => {
    const seen = eventsAt(hook, path).map(({ messageId }) => messageId);
    return ids.filter((id) => seen.includes(id));
  };
  await until(`${expected} events`, () => arrived().length >= expected);
  // Order holds per user and not between users. An event too many gets a moment to arrive after the marker.
  await new Promise((resolve) => setTimeout(resolve, 200));
  return arrived();
}
