import { beforeAll, expect, it } from '@jest/globals';
import { sharedStack } from '@weir/local';
import { uniqueName, until } from '@weir/testing';
import type { Page } from 'playwright-core';
import { useBrowser, withBrowser } from '../support/browser.js';
import { eventsAt, useHook } from '../support/hook.js';
import { enable, newSourceTo, type Source } from '../support/inventory.js';
import { useProxy } from '../support/proxy.js';
import { newWorkspace, type Workspace } from '../support/workspace.js';

withBrowser('the SDK for browsers, as it is (needs Chromium, or CHROMIUM_PATH)', () => {
  const hook = useHook();
  const proxy = useProxy(() => sharedStack().urls[0] ?? '');
  const browser = useBrowser();
  let own: Workspace;
  let source: Source;
  beforeAll(async () => {
    own = await newWorkspace();
    source = await newSourceTo(own.writer, `${hook.url}/hook`, { type: 'Javascript' });
  });

  /** Loads the SDK on the page. `calls` is a script in which `sdk` is the SDK and `marker` the test's name. */
  const run = (page: Page, marker: string, calls: string, options: object = {}) => {
    const load = { configUrl: proxy.url, logLevel: 'ERROR', ...options };
    const arranged = { writeKey: source.writeKey, url: proxy.url, load, marker };
    return page.evaluate(`(({ writeKey, url, load, marker }) => {
      const sdk = (window.sdk = new window.Sdk());
      sdk.load(writeKey, url, load);
      ${calls}
    })(${JSON.stringify(arranged)})`);
  };
  const arrived = (marker: string) => eventsAt(hook, '/hook').filter((event) => JSON.stringify(event).includes(marker));
  const untilArrived = (marker: string, events: number) =>
    until(`${events} events of ${marker}`, () => arrived(marker).length >= events && arrived(marker));

  it('asks for its source and sends every kind of call', async () => {
    const marker = uniqueName('visitor');
    await run(
      await browser.newPage(),
      marker,
      `sdk.identify(marker, { plan: 'free', marker });
       sdk.page('Shop', 'Home', { marker });
       sdk.track('Bought', { price: 7, marker });
       sdk.group('g1', { size: 3, marker });
       sdk.alias(marker + ' later', marker);`,
    );
    const events = await untilArrived(marker, 5);
    const byType = Object.fromEntries(events.map((event) => [event['type'], event]));
    expect(byType).toEqual({
      identify: expect.objectContaining({ userId: marker, channel: 'web' }),
      page: expect.objectContaining({ name: 'Home' }),
      track: expect.objectContaining({ event: 'Bought', properties: expect.objectContaining({ price: 7 }) }),
      group: expect.objectContaining({ groupId: 'g1' }),
      alias: expect.objectContaining({ previousId: marker }),
    });
    expect(new Set(events.map(({ anonymousId }) => anonymousId)).size).toBe(1);
    expect(proxy.paths.some((path) => path.startsWith('/sourceConfig/'))).toBe(true);
  });

  it('tries again when the intake is not available, and has its events taken once', async () => {
    const [marker, after] = [uniqueName('retried'), uniqueName('after')];
    const page = await browser.newPage();
    await run(page, marker, `sdk.track('First', { marker });`);
    await untilArrived(marker, 1);
    proxy.fates = ['refuse', 'lose'];
    await page.evaluate(`sdk.track('Second', { marker: ${JSON.stringify(marker)} })`);
    await untilArrived(marker, 2);
    await page.evaluate(`sdk.track('Third', { marker: ${JSON.stringify(after)} })`);
    await untilArrived(after, 1);
    expect(arrived(marker).map(({ event }) => event)).toEqual(['First', 'Second']);
  });

  it('sends batches, and beacons', async () => {
    const [batched, beamed] = [uniqueName('batched'), uniqueName('beamed')];
    const batch = { queueOptions: { batch: { enabled: true, maxItems: 3, flushInterval: 1_000 } } };
    const three = `for (const n of [1, 2, 3]) sdk.track('Seen', { n, marker });`;
    await run(await browser.newPage(), batched, three, batch);
    await run(await browser.newPage(), beamed, three, {
      useBeacon: true,
      beaconQueueOptions: { maxItems: 3, flushQueueInterval: 1_000 },
    });
    await untilArrived(batched, 3);
    await untilArrived(beamed, 3);
    expect(proxy.paths).toContain('/v1/batch');
    expect(proxy.paths.some((path) => path.startsWith('/beacon/v1/batch?writeKey='))).toBe(true);
  });

  it('sends nothing when its source is off', async () => {
    const marker = uniqueName('off');
    await enable(own.writer, `/v2/sources/${source.id}`, false);
    const page = await browser.newPage();
    const said = page.waitForEvent('console', (message) => message.text().includes('disabled'));
    await run(page, marker, `sdk.track('Seen', { marker });`);
    await said;
    await enable(own.writer, `/v2/sources/${source.id}`, true);
    expect(arrived(marker)).toEqual([]);
  });
});
