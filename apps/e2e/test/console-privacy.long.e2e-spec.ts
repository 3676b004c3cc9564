import { beforeAll, expect, it } from '@jest/globals';
import { until } from '@weir/testing';
import type { Page } from 'playwright-core';
import { held, withBrowser } from './support/browser.js';
import { useConsole } from './support/console.js';
import { useHook } from './support/hook.js';
import { newWebhook } from './support/inventory.js';
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
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      asked.push(pathname + search);
    });
    await page.goto(`${browser.url}/privacy?tab=new`);
    const users = Array.from({ length: 2_300 }, (_, at) => `Person,p${at}`);
    await page
      .getByLabel('Upload CSV with user IDs')
      .setInputFiles(csvOf([...users, 'Nobody,', '"Half,p1', 'Again,p0']));
    await page.getByText('2,300 users, 1 duplicate.').waitFor();
    await page.getByText('2 lines skipped:').waitFor();
    await page.getByText('line 2,302: no user ID').waitFor();
    await page.getByText('line 2,303: unclosed quote').waitFor();
    await page.getByRole('button', { name: 'Preview effect' }).click();
    await page.getByText(/Uses 2,300 of the/).waitFor();

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
      await page.getByText('From the column user_id: p0, p1, p2 and 2,297 more.').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Suppress' }).click();
    };
    await suppress();
    await page.getByText('1,000 of 2,300 users are done. Try again to continue.').waitFor();
    await suppress();
    await page.getByText('2,000 of 2,300 users').waitFor();
    expect(await page.getByLabel('Upload CSV with user IDs').isDisabled()).toBe(true);
    expect(await page.getByRole('progressbar', { name: 'Suppressed' }).getAttribute('value')).toBe('2000');
    gate.resolve();
    await page.getByText('Done. Events of 2,300 users no longer pass.').waitFor();
    // the newest is on top, and older ones come as somebody scrolls
    await page.getByRole('link', { name: 'p2299', exact: true }).waitFor();
    const list = page.getByRole('region', { name: 'Regulations: table' });
    await until('a third page', async () => {
      await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      return (await list.getByText(/^(1[5-9]\d|[2-9]\d\d|\d,\d{3}) so far/).count()) > 0;
    });
    expect(await list.getByRole('row').count()).toBeLessThan(100);
    for (const user of ['p0', 'p999', 'p1000', 'p2299']) expect(await regulationsOf(user)).toHaveLength(1);
    // a page is one request, and its rows ask for nothing
    expect(asked.some((path) => path.startsWith('/v2/regulations?'))).toBe(true);
    expect(asked.filter((path) => path.startsWith('/v2/regulations/'))).toEqual([]);
  });

  it('larger than a page can hold is refused with the way to go', async () => {
    await page.goto(`${browser.url}/privacy?tab=new`);
    const name = 'large.csv';
    await page
      .getByLabel('Upload CSV with user IDs')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.alloc(17 * 1024 * 1024, 'a') });
    await page.getByText('The file is larger than 16 MiB.').waitFor();
  });

  it('in an encoding whose letters would be guessed is refused', async () => {
    await page.goto(`${browser.url}/privacy?tab=new`);
    const buffer = Buffer.from('user_id\nJos\u00e9', 'latin1');
    await page
      .getByLabel('Upload CSV with user IDs')
      .setInputFiles({ name: 'latin.csv', mimeType: 'text/csv', buffer });
    await page.getByText('The file is not UTF-8').waitFor();
    expect(await page.getByLabel('User IDs', { exact: true }).inputValue()).toBe('');
  });

  it('calls nobody back who has gone on while the users are suppressed', async () => {
    await page.unrouteAll();
    await page.goto(`${browser.url}/privacy?tab=new`);
    await page.getByLabel('User IDs', { exact: true }).fill('gone-on');
    await page.getByRole('button', { name: 'Preview effect' }).click();
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
    const field = page.getByLabel('User IDs', { exact: true });
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

withBrowser('a deletion in the console (needs Chromium, or CHROMIUM_PATH)', () => {
  const hook = useHook();
  const browser = useConsole();
  let own: Workspace;
  let page: Page;

  beforeAll(async () => {
    own = await newWorkspace();
    page = await browser.signedIn(own);
  });

  const ordered = async (destinationIds?: string[]): Promise<string> => {
    const body = { regulationType: 'suppress_with_delete', users: [{ userId: 'former' }], destinationIds };
    return made(await own.writer.post('/v2/regulations', body), 201)[0].id;
  };
  const statusOf = async (id: string) => made(await own.reader.get(`/v2/regulations/${id}`)).deletion.status;
  const lead = (text: RegExp) => page.locator('#page header p').filter({ hasText: text });

  it('is called done only where it is, and its receipt is verified by the browser', async () => {
    const config = { deletionUrl: `${hook.url}/forget` };
    const able = await newWebhook(own.writer, `${hook.url}/able`, { name: 'Able', config });
    const unable = await newWebhook(own.writer, `${hook.url}/unable`, { name: 'Unable' });
    const [both, none] = [await ordered([able.id, unable.id]), await ordered([unable.id])];
    await page.goto(`${browser.url}/privacy/${none}`);
    await lead(/^Suppressed since .*, deletion (requested|in progress)/).waitFor();
    await until('both deletions to end', async () => {
      return (await statusOf(both)) === 'complete' && (await statusOf(none)) === 'not_supported';
    });
    await lead(/, deletion requested, but no destination supports it$/).waitFor();
    await page.goto(`${browser.url}/privacy/${both}`);
    await lead(/, deleted, except at 1 destination that does not support it$/).waitFor();

    const verify = () => page.getByRole('button', { name: 'Verify' }).click();
    await verify();
    await page.getByText('The signature is valid. The receipt is unchanged.').waitFor();
    await page.route('**/receipt', async (route) => {
      const signed = await (await route.fetch()).json();
      await route.fulfill({
        json: { ...signed, receipt: { ...signed.receipt, completedAt: '2026-01-01T00:00:00.000Z' } },
      });
    });
    await page.reload();
    await verify();
    await page.getByText('The signature is not valid: it does not match this receipt.').waitFor();
  });

  it('stands with its state and its date in the list', async () => {
    await page.goto(`${browser.url}/privacy`);
    await page.getByRole('row', { name: /former Suppress and delete in force complete/ }).waitFor();
    await page.getByRole('row', { name: /former Suppress and delete in force not supported .*ago/ }).waitFor();
  });

  it('is told on the overview while a destination still holds the data, with the way to it', async () => {
    hook.answer(({ path }) => ({ status: path === '/refuses' ? 400 : 200 }));
    const refusing = { config: { deletionUrl: `${hook.url}/refuses` } };
    const { id } = await newWebhook(own.writer, `${hook.url}/refusing`, { name: 'Refusing', ...refusing });
    const ended = await ordered([id]);
    await until('the deletion to end in part', async () => (await statusOf(ended)) === 'partial');
    await page.goto(browser.url);
    await page.getByRole('link', { name: /1 deletion ended in part: a destination still holds the data/ }).click();
    await page.getByRole('row', { name: /former Suppress and delete in force partial/ }).waitFor();
    expect(await page.getByRole('region', { name: 'Regulations: table' }).getByRole('row').count()).toBe(2);
  });
});
