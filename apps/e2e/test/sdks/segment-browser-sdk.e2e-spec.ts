import { beforeAll, expect, it } from '@jest/globals';
import { sharedStack } from '@weir/local';
import { uniqueName, until } from '@weir/testing';
import { SEGMENT_SDK, useBrowser, withBrowser } from '../support/browser.js';
import { eventsAt, useHook } from '../support/hook.js';
import { newSourceTo, type Source } from '../support/inventory.js';
import { useProxy } from '../support/proxy.js';
import { newWorkspace } from '../support/workspace.js';

withBrowser("Segment's SDK for browsers, as it is (needs Chromium, or CHROMIUM_PATH)", () => {
  const hook = useHook();
  const proxy = useProxy(() => sharedStack().urls[0] ?? '');
  const browser = useBrowser(SEGMENT_SDK);
  let source: Source;
  beforeAll(async () => {
    const own = await newWorkspace();
    source = await newSourceTo(own.writer, `${hook.url}/hook`, { type: 'Javascript' });
  });

  /** Runs `calls`, in which `sdk` is the SDK and `marker` the test's name. */
  const run = async (marker: string, calls: string, options: object = {}) => {
    const page = await browser.newPage();
    const arranged = { settings: { writeKey: source.writeKey, cdnURL: proxy.url }, marker, options };
    await page.evaluate(`(({ settings, marker, options }) => {
      const sdk = (window.sdk = window.Sdk.load(settings, options));
      ${calls}
    })(${JSON.stringify(arranged)})`);
    return page;
  };
  const arrived = (marker: string) => eventsAt(hook, '/hook').filter((event) => JSON.stringify(event).includes(marker));
  const untilArrived = (marker: string, events: number) =>
    until(`${events} events of ${marker}`, () => arrived(marker).length >= events && arrived(marker));

  it('sends every kind of call once its host is changed, to where its settings point', async () => {
    const marker = uniqueName('visitor');
    await run(
      marker,
      `sdk.identify(marker, { plan: 'free', marker });
       sdk.page('Shop', 'Home', { marker });
       sdk.screen('Cart', { marker });
       sdk.track('Bought', { price: 7, marker });
       sdk.group('g1', { size: 3, marker });
       sdk.alias(marker + ' later', marker);`,
    );
    const events = await untilArrived(marker, 6);
    expect(Object.fromEntries(events.map((event) => [event['type'], event]))).toEqual({
      identify: expect.objectContaining({ userId: marker, traits: expect.objectContaining({ plan: 'free' }) }),
      page: expect.objectContaining({ name: 'Home' }),
      screen: expect.objectContaining({ name: 'Cart' }),
      track: expect.objectContaining({ event: 'Bought', properties: expect.objectContaining({ price: 7 }) }),
      group: expect.objectContaining({ groupId: 'g1' }),
      alias: expect.objectContaining({ previousId: marker }),
    });
    expect(new Set(events.map(({ anonymousId }) => anonymousId)).size).toBe(1);
    expect(proxy.paths).toContain(`/v1/projects/${source.writeKey}/settings`);
  });

  it('tries again when the intake is not available', async () => {
    const [marker, after] = [uniqueName('retried'), uniqueName('after')];
    const apiHost = `${new URL(proxy.url).host}/v1`; // the settings name the gateway itself, and this network has to be between
    const options = { integrations: { 'Segment.io': { apiHost, protocol: 'http' } } };
    const page = await run(marker, `sdk.track('First', { marker });`, options);
    await untilArrived(marker, 1);
    expect(proxy.paths).toContain('/v1/t');
    proxy.fates = ['refuse'];
    await page.evaluate(`sdk.track('Second', { marker: ${JSON.stringify(marker)} })`);
    await untilArrived(marker, 2);
    expect(proxy.fates).toEqual([]);
    await page.evaluate(`sdk.track('Third', { marker: ${JSON.stringify(after)} })`);
    await untilArrived(after, 1);
    expect(arrived(marker).map(({ event }) => event)).toEqual(['First', 'Second']);
  });
});
