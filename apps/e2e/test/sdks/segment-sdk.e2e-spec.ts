import { beforeAll, expect, it } from '@jest/globals';
import { Analytics } from '@segment/analytics-node';
import { sharedStack } from '@weir/local';
import { uniqueName, until } from '@weir/testing';
import { eventsAt, useHook } from '../support/hook.js';
import { newSourceTo, type Source } from '../support/inventory.js';
import { newWorkspace } from '../support/workspace.js';

const hook = useHook();
let source: Source;
beforeAll(async () => {
  const own = await newWorkspace();
  source = await newSourceTo(own.writer, `${hook.url}/hook`);
});

it("Segment's SDK for servers sends every kind of call once its host is changed", async () => {
  const analytics = new Analytics({ writeKey: source.writeKey, host: String(sharedStack().urls[0]) });
  const marker = uniqueName('segment');
  const common = { userId: 'u1', context: { marker } };
  analytics.identify({ ...common, traits: { plan: 'free' } });
  analytics.track({ ...common, event: 'Bought', properties: { price: 7 } });
  analytics.page({ ...common, name: 'Home' });
  analytics.screen({ ...common, name: 'Cart' });
  analytics.group({ ...common, groupId: 'g1', traits: { size: 3 } });
  analytics.alias({ ...common, previousId: 'u0' });
  await analytics.closeAndFlush();
  const arrived = () =>
    eventsAt(hook, '/hook').filter(({ context }) => (context as { marker?: string }).marker === marker);
  const events = await until('every call to arrive', () => arrived().length === 6 && arrived());
  expect(events.map(({ type }) => type).sort()).toEqual(['alias', 'group', 'identify', 'page', 'screen', 'track']);
});
