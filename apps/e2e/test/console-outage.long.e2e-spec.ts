import { beforeAll, expect, it } from '@jest/globals';
import { useStack } from '@weir/local';
import { api } from '@weir/testing';
import type { Page } from 'playwright-core';
import { withBrowser } from './support/browser.js';
import { useConsole } from './support/console.js';
import { made } from './support/workspace.js';

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
    page = await signedIn();
  });

  /** Each as a new visitor. Pages of one visitor share few connections, and requests to what is away keep those busy. */
  async function signedIn(): Promise<Page> {
    const one = await browser.newPage();
    const { path } = made(await api(stack().address).post('/console/links', {}), 201);
    await one.goto(stack().url + path);
    await one.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    return one;
  }

  /** A page that asks the service, what it says while the service is away, and what it says otherwise. */
  const SERVICES = [
    {
      name: 'schema-service.main',
      path: '/schemas',
      missing: /^The schemas (cannot be shown|may be outdated)/,
      healed: 'Bought',
    },
    {
      name: 'transformation-registry.main',
      path: '/code',
      missing: /^The code (cannot be shown|may be outdated)/,
      healed: 'Mask',
    },
    {
      name: 'delivery-service.main',
      path: '/',
      missing: /^The counters (cannot be shown|may be outdated)/,
      healed: 'for a destination',
    },
    {
      name: 'regulation-service.main',
      path: '/privacy',
      missing: /^The regulations cannot be shown/,
      healed: 'Nobody is suppressed',
    },
  ] as const;

  it('says on each page what it misses, keeps the rest, and each page heals by itself once its own service is back', async () => {
    const opened = await Promise.all(SERVICES.map(async (service) => ({ ...service, view: await signedIn() })));
    const held = new Set(SERVICES.map(({ name }) => name));
    await Promise.all([...held].map((name) => stack().hold(name)));
    try {
      await Promise.all(
        opened.map(async ({ view, path, missing }) => {
          await view.goto(`${browser.url}${path}`);
          await view.getByText(missing).first().waitFor();
          await view.getByText('Retrying automatically.').first().waitFor();
        }),
      );
      // the frame and the other panels go on
      await page.getByRole('link', { name: 'Sources' }).first().click();
      await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor();
      await page.getByRole('link', { name: 'Web shop' }).waitFor();
      for (const { name, view, missing, healed } of opened) {
        await stack().resume(name);
        held.delete(name);
        // nobody reloads anything
        await view.getByText(healed).first().waitFor();
        await view.getByText(missing).waitFor({ state: 'detached' });
        await view.context().close();
        for (const other of opened)
          if (held.has(other.name)) await other.view.getByText(other.missing).first().waitFor();
      }
    } finally {
      await Promise.all([...held].map((name) => stack().resume(name)));
    }
  });

  it('keeps what is shown while the gateway restarts, and goes on with it', async () => {
    await page.goto(`${browser.url}/schemas`);
    await page.getByRole('link', { name: 'Bought' }).waitFor();
    await stack().hold('gateway.main');
    try {
      await page.getByText('Weir cannot be reached.').first().waitFor();
      await page.getByRole('link', { name: 'Bought' }).waitFor();
    } finally {
      await stack().resume('gateway.main');
    }
    await page.getByText('Weir cannot be reached.').waitFor({ state: 'detached' });
    expect(browser.alerts).toEqual([]);
  });
});
