import { beforeAll, expect, it } from '@jest/globals';
import { sharedStack } from '@weir/local';
import { api, until } from '@weir/testing';
import type { Page } from 'playwright-core';
import { withBrowser } from './support/browser.js';
import { KEEP, newTransformation } from './support/code.js';
import { useConsole } from './support/console.js';
import { useHook } from './support/hook.js';
import { connect, newSource, newWebhook, type Source, sendEvent } from './support/inventory.js';
import { made, newWorkspace, type Workspace } from './support/workspace.js';

/** Names of events, as strangers may send them. */
const NAMES = {
  markup: '<img src=x onerror=alert(1)>',
  turned: 'evil\u202Etxt',
  unseen: 'zero\u200Bwidth',
  arabic: 'مرحبا بالعالم',
  endless: 'x'.repeat(3_000),
  nul: 'nul\u0000nul',
  proto: '__proto__',
};
const WIDE = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`key${at}`, at]));

withBrowser('what strangers send to the console (needs Chromium, or CHROMIUM_PATH)', () => {
  const hook = useHook();
  const browser = useConsole();
  let own: Workspace;
  let source: Source;
  let page: Page;

  beforeAll(async () => {
    own = await newWorkspace('Shop\u202Epohs');
    source = await newSource(own.writer, { name: 'src \u202E<script>alert(1)</script>', type: 'Javascript' });
    await connect(own.writer, source, await newWebhook(own.writer, `${hook.url}/any`, { name: 'd'.repeat(200) }));
    for (const [id, event] of Object.entries(NAMES))
      await sendEvent(source, 'track', {
        userId: event,
        event,
        messageId: id,
        properties: { [event.slice(0, 60)]: event },
      });
    await sendEvent(source, 'track', { userId: 'wide', event: 'Wide', messageId: 'wide', properties: WIDE });
    const big = { blob: 'x'.repeat(480_000), turned: '\u202E'.repeat(1_000) };
    await sendEvent(source, 'track', { userId: 'big', event: 'Big', messageId: 'big', properties: big });
    const governor = api(sharedStack(), { user: '', password: own.tokens.admin });
    await until('the model of the event that came last', async () => {
      const models: { EventIdentifier: string }[] = made(await governor.get('/schemas/event-models'));
      return models.some(({ EventIdentifier }) => EventIdentifier === 'Big');
    });
    page = await browser.signedIn(own);
  });

  /** Nothing hidden in the page, nothing of an event as an element, and no page that scrolls sideways. */
  async function expectCalm(): Promise<void> {
    const seen = (await page.evaluate(`({
      hidden: document.body.innerText.match(/[\\u202e\\u200b\\u0000]/g),
      injected: document.querySelectorAll('img[src=x], script:not([src])').length,
      sideways: [document.documentElement, document.querySelector('main')].some((one) => one.scrollWidth > one.clientWidth),
    })`)) as object;
    expect(seen).toEqual({ hidden: null, injected: 0, sideways: false });
  }

  it.each(['/', '/sources', '/destinations', '/code', '/schemas', '/settings?tab=health'])(
    'is text that stays in its place at %s',
    async (path) => {
      await page.goto(`${browser.url}${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByText('Shop\\u202epohs').first().waitFor();
      await page.waitForLoadState('networkidle');
      await expectCalm();
    },
  );

  it.each([...Object.keys(NAMES), 'wide', 'big'])(
    'is text that stays in its place in the life of an event: %s',
    async (id) => {
      await until('the way of the event', async () => {
        await page.goto(`${browser.url}/events/${id}`);
        await page.getByText('Message ID').or(page.getByText('No record of this event yet')).waitFor();
        return (await page.getByText('Message ID').count()) === 1;
      });
      await page.getByText('What was sent').first().click(); // an event may be delivered twice
      await expectCalm();
    },
  );

  it('keeps nobody from testing code on sampled events, one with a NUL among them', async () => {
    const { id } = await newTransformation(own.writer, KEEP, { name: '<i>keep</i>' });
    await page.goto(`${browser.url}/code/${id}`);
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('All tests passed').waitFor();
    await page.getByText('track · nul\uFFFDnul').first().waitFor();
    await expectCalm();
  });

  it.each([
    ['/sources/nope', 'There is no such source'],
    ['/destinations/nope?tab=none', 'There is no such destination'],
    ['/code/nope', 'There is no such code'],
    ['/libraries/nope', 'There is no such library'],
    ['/schemas/nope', 'There is no such kind of event'],
    ['/privacy/nope', 'There is no such regulation'],
    ['/nowhere/at/all', 'There is no page at this address'],
  ])('says in a heading what is not at %s', async (path, title) => {
    await page.goto(`${browser.url}${path}`);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await page.getByRole('main').getByRole('link').first().click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor({ state: 'detached' });
  });

  it('shows a page whatever the rest of its address holds', async () => {
    await page.goto(`${browser.url}/settings?tab=none`);
    await page.getByRole('heading', { name: 'New token' }).waitFor();
    await page.goto(`${browser.url}/?hours=99999999`);
    await page.getByText('Delivered', { exact: true }).waitFor();
    await page.goto(`${browser.url}/live?type=none&source=none&outcome=none`);
    await page.getByText('listening').waitFor();
  });

  it('ran nothing of it', () => {
    expect([browser.alerts, browser.refusals]).toEqual([[], []]);
  });
});
