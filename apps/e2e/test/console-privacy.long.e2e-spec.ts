import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { held, withBrowser } from './support/browser.js';
import { useConsole } from './support/console.js';
import { made, newWorkspace, type Workspace } from './support/workspace.js';

withBrowser('a CSV file of users in the console (needs Chromium, or CHROMIUM_PATH)', () => {
  const browser = useConsole();
  let own: Workspace;
  let page: Page;

  beforeAll(async () => {
    own = await newWorkspace();
    page = await browser.signedIn(own);
  });

  const csvOf = (rows: readonly string[]) => ({
    name: 'users.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['name,user_id', ...rows].join('\n')),
  });

  const regulationsOf = async (userId: string): Promise<object[]> =>
    made(await own.reader.get('/v2/regulations', { query: { userId } })).data;

  it('is checked, planned as a whole, and ordered with its progress, once for each user whatever breaks', async () => {
    await page.goto(`${browser.url}/privacy?tab=new`);
    const users = Array.from({ length: 2_300 }, (_, at) => `Person,p${at}`);
    await page
      .getByLabel('Read user ids from a CSV file')
      .setInputFiles(csvOf([...users, 'Nobody,', '"Half,p1', 'Again,p0']));
    await page.getByText('2,300 users, 1 named twice.').waitFor();
    await page.getByText('2 lines left out:').waitFor();
    await page.getByText('line 2,302: it has no user id').waitFor();
    await page.getByText('line 2,303: its quote does not end').waitFor();
    await page.getByRole('button', { name: 'Check what it would do' }).click();
    await page.getByText(/It takes 2,300 of the/).waitFor();

    // the second of three batches gets lost, and the third is slow
    const gate = Promise.withResolvers<void>();
    let losses = 0;
    await page.route('**/v2/regulations?dryRun=false', async (route) => {
      const [{ userId }] = route.request().postDataJSON().users;
      if (userId === 'p1000' && losses++ === 0) return route.abort();
      if (userId === 'p2000') await gate.promise;
      return route.continue();
    });
    const suppress = async () => {
      await page.getByRole('button', { name: 'Suppress …' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Suppress' }).click();
    };
    await suppress();
    await page.getByText('1,000 of 2,300 users are done. Start again to go on.').waitFor();
    await suppress();
    await page.getByText('2,000 of 2,300 users').waitFor();
    expect(await page.getByLabel('Read user ids from a CSV file').isDisabled()).toBe(true);
    expect(await page.getByRole('progressbar', { name: 'Suppressed' }).getAttribute('value')).toBe('2000');
    gate.resolve();
    await page.getByText('Done. Events of 2,300 users no longer pass.').waitFor();
    await page.getByRole('link', { name: 'p0', exact: true }).waitFor();
    for (const user of ['p0', 'p999', 'p1000', 'p2299']) expect(await regulationsOf(user)).toHaveLength(1);
  });

  it('larger than a page can hold is refused with the way to go', async () => {
    await page.goto(`${browser.url}/privacy?tab=new`);
    const name = 'large.csv';
    await page
      .getByLabel('Read user ids from a CSV file')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.alloc(17 * 1024 * 1024, 'a') });
    await page.getByText('The file is larger than 16 MiB.').waitFor();
  });

  it('calls nobody back who has gone on while the users are suppressed', async () => {
    await page.unrouteAll();
    await page.goto(`${browser.url}/privacy?tab=new`);
    await page.getByLabel('User ids', { exact: true }).fill('gone-on');
    await page.getByRole('button', { name: 'Check what it would do' }).click();
    const order = await held(page, '**/v2/regulations?dryRun=false');
    await page.getByRole('button', { name: 'Suppress …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Suppress' }).click();
    await page.getByText('0 of 1 user').waitFor();
    await page.getByRole('link', { name: 'Sources' }).click();
    const title = page.getByRole('heading', { level: 1, name: 'Sources' });
    await title.waitFor();
    order.release();
    await page.getByText('Done. Events of 1 user no longer pass.').waitFor();
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    expect(new URL(page.url()).pathname).toBe('/console/sources');
    await title.waitFor();
  });

  it('brings no older list back after a reload if the browser has no room for the newer one', async () => {
    await page.goto(`${browser.url}/privacy?tab=new`);
    const field = page.getByLabel('User ids', { exact: true });
    await field.fill('older');
    await page.evaluate(`(() => {
      let filled = '';
      for (let step = 2 ** 23; step >= 1; step /= 2)
        try {
          sessionStorage.setItem('filled', filled + 'x'.repeat(step));
          filled += 'x'.repeat(step);
        } catch {}
    })()`);
    await field.fill('newer, and far longer');
    await page.evaluate("sessionStorage.removeItem('filled')");
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Privacy' }).waitFor();
    expect(await field.inputValue()).toBe('');
  });
});
