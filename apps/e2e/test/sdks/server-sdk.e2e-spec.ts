import { beforeAll, describe, expect, it } from '@jest/globals';
import Analytics from '@rudderstack/rudder-sdk-node';
import { sharedStack } from '@weir/local';
import { uniqueName, until } from '@weir/testing';
import { eventsAt, useHook } from '../support/hook.js';
import { newSourceTo, type Source } from '../support/inventory.js';
import { useProxy } from '../support/proxy.js';
import { newWorkspace, operator, type Workspace } from '../support/workspace.js';

const hook = useHook();
const proxy = useProxy(() => sharedStack().urls[0] ?? '');
let own: Workspace;
let source: Source;
beforeAll(async () => {
  own = await newWorkspace();
  source = await newSourceTo(own.writer, `${hook.url}/hook`);
});

const sdk = (options: object = {}) =>
  new Analytics(source.writeKey, { dataPlaneUrl: proxy.url, logLevel: 'none', flushAt: 50, ...options });

const arrived = (marker: string) =>
  eventsAt(hook, '/hook').filter(({ context }) => (context as { marker?: string }).marker === marker);

/** How often area D has counted a track event with this name. */
async function counted(event: string): Promise<number> {
  const { body } = await operator().get('/schemas/event-models', { query: { WriteKey: source.writeKey } });
  const model = body.find(({ EventIdentifier }: { EventIdentifier: string }) => EventIdentifier === event);
  return model?.TotalCount ?? 0;
}

describe('the SDK for servers, as it is', () => {
  it.each([true, false])('sends every kind of call; gzip: %s', async (gzip) => {
    const client = sdk({ gzip });
    const marker = uniqueName('call');
    const common = { userId: 'u1', context: { marker } };
    client.identify({ ...common, traits: { plan: 'free' } });
    client.track({ ...common, event: 'Bought', properties: { price: 7 } });
    client.page({ ...common, name: 'Home' });
    client.screen({ ...common, name: 'Cart' });
    client.group({ ...common, groupId: 'g1', traits: { size: 3 } });
    client.alias({ ...common, previousId: 'u0' });
    await client.flush();
    const events = await until('every call to arrive', () => arrived(marker).length === 6 && arrived(marker));
    const byType = Object.fromEntries(events.map((event) => [event['type'], event]));
    expect(byType).toEqual({
      identify: expect.objectContaining({ traits: { plan: 'free' } }),
      track: expect.objectContaining({ event: 'Bought', properties: { price: 7 }, userId: 'u1' }),
      page: expect.objectContaining({ name: 'Home' }),
      screen: expect.objectContaining({ name: 'Cart' }),
      group: expect.objectContaining({ groupId: 'g1', traits: { size: 3 } }),
      alias: expect.objectContaining({ previousId: 'u0' }),
    });
    expect(events.every(({ channel, rudderId }) => channel === 'server' && typeof rudderId === 'string')).toBe(true);
  });

  it('tries again when the intake is not available, and has its events taken once', async () => {
    const [client, event] = [sdk(), uniqueName('Retried')];
    proxy.fates = ['refuse', 'refuse'];
    client.track({ userId: 'u', event, context: { marker: event } });
    await client.flush();
    // the collector counts what the deliverer may not have sent yet
    await until('the event to be counted', async () => (await counted(event)) === 1);
    await until('the event to arrive', () => arrived(event).length > 0);
    expect(arrived(event)).toHaveLength(1);
  });

  it('sends a batch again whose answer was lost, and it counts once', async () => {
    const [client, event, after] = [sdk(), uniqueName('Repeated'), uniqueName('After')];
    // An SDK sends its first event alone.
    client.track({ userId: 'u', event: uniqueName('First') });
    await client.flush();
    proxy.fates = ['lose', 'lose'];
    const before = proxy.paths.length;
    for (let n = 0; n < 10; n += 1) client.track({ userId: `u${n}`, event, context: { marker: event } });
    await client.flush();
    // Events of one source stay in order. Once this one is counted, all earlier ones are.
    client.track({ userId: 'u', event: after });
    await client.flush();
    await until('the last event to be counted', async () => (await counted(after)) === 1);
    expect(proxy.paths.length - before).toBeGreaterThanOrEqual(4);
    expect(await counted(event)).toBe(10);
    await until('every event to arrive', () => arrived(event).length >= 10);
    expect(arrived(event)).toHaveLength(10);
  });

  it('is told when its write key is wrong', async () => {
    const refused = new Promise<{ response?: { status: number; data: string } }>((errorHandler) => {
      const client = new Analytics('nobody', { dataPlaneUrl: proxy.url, logLevel: 'none', errorHandler });
      client.track({ userId: 'u', event: 'Lost' });
    });
    expect((await refused).response).toMatchObject({ status: 401, data: 'invalid write key\n' });
  });
});
