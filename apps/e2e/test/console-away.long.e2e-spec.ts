import { beforeAll, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { withBrowser } from './support/browser.js';
import { useConsole } from './support/console.js';
import { newSource } from './support/inventory.js';
import { newWorkspace } from './support/workspace.js';

withBrowser('the console while something is away (needs Chromium, or CHROMIUM_PATH)', () => {
  const browser = useConsole();
  let page: Page;

  beforeAll(async () => {
    const own = await newWorkspace();
    await newSource(own.writer, { name: 'Web shop', type: 'Javascript' });
    page = await browser.signedIn(own);
  });

  const go = async (path: string, title: string) => {
    await page.goto(`${browser.url}${path}`);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
  };

  it('keeps every other panel when a service is away, and heals by itself', async () => {
    const away = { message: 'The delivery service does not answer', code: 'UNAVAILABLE' };
    await page.route('**/v2/deliveries/counters*', (route) => route.fulfill({ status: 503, json: away }));
    await go('/', 'Overview');
    await page.getByText(away.message).waitFor();
    await page.getByRole('link', { name: 'Web shop' }).first().waitFor();
    await page.unroute('**/v2/deliveries/counters*');
    await page.getByText('Failed for good', { exact: true }).waitFor();
    await page.getByText(away.message).waitFor({ state: 'detached' });
  });

  it('shows every process with its version, says which one is missing, and heals by itself', async () => {
    const path = '**/v2/processes';
    await page.route(path, async (route) => {
      const { processes } = await (await route.fetch()).json();
      const without = processes.map((one: { name: string }) =>
        one.name === 'code-sandbox.main' ? { ...one, instances: [] } : one,
      );
      await route.fulfill({ json: { processes: without } });
    });
    await go('/settings?tab=health', 'Settings');
    await page.getByText('1 process of 12 cannot work.').waitFor();
    await go('/', 'Overview');
    await page.getByRole('link', { name: /^code-sandbox\.main.*does not answer/ }).click();
    await page.getByRole('row', { name: /code-sandbox.main .* does not answer 0/ }).waitFor();
    const away = { message: 'The broker is away, so no process can be asked', code: 'SERVICE_UNAVAILABLE' };
    await page.unroute(path);
    await page.route(path, (route) => route.fulfill({ status: 503, json: away }));
    await page.getByText(away.message).waitFor();
    await page.unroute(path);
    await page.getByText('All processes work.').waitFor();
    await page.getByRole('row', { name: /code-sandbox.main .* works 1 \d+\.\d+\.\d+/ }).waitFor();
    await page.getByText(away.message).waitFor({ state: 'detached' });
  });

  it('says from when to when the stream was interrupted', async () => {
    // an answer that ends at once
    const headers = { 'content-type': 'text/event-stream' };
    await page.route('**/v2/live-events*', (route) => route.fulfill({ headers, body: ': live\n\n' }), { times: 1 });
    await go('/live', 'Live');
    await page.getByText('Stream interrupted.').waitFor();
    await page.getByText(/^Interrupted from .*: events of that time are missing$/).waitFor();
  });
});
