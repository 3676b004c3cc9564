import { beforeAll, describe, expect, it } from '@jest/globals';
import { useStack } from '@weir/local';
import { api } from '@weir/testing';
import type { Page } from 'playwright-core';
import { chromiumPath } from './support/browser.js';
import { useConsole } from './support/console.js';
import { made } from './support/workspace.js';

const withBrowser = chromiumPath ? describe : describe.skip;

withBrowser('the console while a service is away (needs Chromium, or CHROMIUM_PATH)', () => {
  const stack = useStack();
  const browser = useConsole(() => stack().url);
  let page: Page;

  beforeAll(async () => {
    const client = api(stack().address);
    const source = made(await client.post('/v2/sources', { name: 'Web shop', type: 'HTTP' })).source;
    const config = { webhookUrl: 'https://example.com/hook' };
    made(await client.post('/v2/destinations', { name: 'Warehouse', type: 'WEBHOOK', config }));
    made(
      await client.post(
        '/transformations',
        { name: 'Mask', code: 'export const transformEvent = (e) => e;' },
        { query: { publish: true } },
      ),
    );
    await api(stack().address, { writeKey: source.writeKey }).post('/v1/track', { userId: 'ada', event: 'Bought' });
    page = await browser.newPage();
    const { path } = made(await client.post('/console/links', {}), 201);
    await page.goto(stack().url + path);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  /** A page that asks the service, what it says while the service is away, and what it says otherwise. */
  const SERVICES = [
    ['schema-service.main', '/schemas', /^The schemas (cannot be shown|may be old)/, 'Bought'],
    ['transformation-registry.main', '/code', /^The code (cannot be shown|may be old)/, 'Mask'],
    ['delivery-service.main', '/', /^The counters (cannot be shown|may be old)/, 'for a destination'],
    ['regulation-service.main', '/privacy', /^The regulations cannot be shown/, 'Nobody is suppressed'],
  ] as const;

  it.each(SERVICES)(
    'says what it misses without %s, keeps the rest, and heals by itself',
    async (name, path, missing, healed) => {
      await stack().hold(name);
      try {
        await page.goto(`${browser.url}${path}`);
        await page.getByText(missing).first().waitFor();
        await page.getByText('It is asked for again by itself.').first().waitFor();
        // the frame and the other panels go on
        await page.getByRole('link', { name: 'Sources' }).first().click();
        await page.getByRole('link', { name: 'Web shop' }).waitFor();
        await page.goto(`${browser.url}${path}`);
        await page.getByText(missing).first().waitFor();
      } finally {
        await stack().resume(name);
      }
      // nobody reloads anything
      await page.getByText(healed).first().waitFor();
      await page.getByText(missing).waitFor({ state: 'detached' });
    },
  );

  it('keeps what is shown while the gateway restarts, and goes on with it', async () => {
    await page.goto(`${browser.url}/sources`);
    await page.getByRole('link', { name: 'Web shop' }).waitFor();
    await stack().hold('gateway.main');
    try {
      await page.getByText('Weir cannot be reached.').first().waitFor();
      await page.getByRole('link', { name: 'Web shop' }).waitFor();
    } finally {
      await stack().resume('gateway.main');
    }
    await page.getByText('Weir cannot be reached.').waitFor({ state: 'detached' });
    expect(browser.alerts).toEqual([]);
  });
});
