import { beforeAll, expect, it } from '@jest/globals';
import { uniqueName } from '@weir/testing';
import type { Page } from 'playwright-core';
import { withBrowser } from './support/browser.js';
import { KEEP, newTransformation } from './support/code.js';
import { useConsole } from './support/console.js';
import { type Destination, newWebhook } from './support/inventory.js';
import { made, newWorkspace, type Workspace } from './support/workspace.js';

withBrowser('forms of the console (needs Chromium, or CHROMIUM_PATH)', () => {
  const browser = useConsole();
  let own: Workspace;
  let hook: Destination;
  let page: Page;

  beforeAll(async () => {
    own = await newWorkspace();
    hook = await newWebhook(own.writer, 'https://hooks.example.com/', { name: 'Pager' });
    page = await browser.signedIn(own);
  });

  const field = (label: string) => page.getByLabel(label, { exact: label !== 'Webhook URL' });

  /** The values of a form after a look at another page, and after a reload. */
  async function kept(path: string, labels: readonly string[]): Promise<string[]> {
    await page.getByRole('link', { name: 'Live' }).click();
    await page.getByRole('heading', { level: 1, name: 'Live' }).waitFor();
    await page.goto(`${browser.url}${path}`);
    const [first = ''] = labels;
    await field(first).waitFor();
    return Promise.all(labels.map((label) => field(label).inputValue()));
  }

  it.each([
    ['/settings', { Name: 'Deploy', 'Email address': 'ci@example.com' }, []],
    ['/settings?tab=credentials', { Key: 'API_KEY', Value: 'a secret' }, ['Value']],
    [
      '/settings?tab=notifications',
      { Name: 'On call', 'Address (URL)': 'https://hooks.example.com/T0KEN' },
      ['Address (URL)'],
    ],
  ])(
    'keep what was typed at %s, and no secret',
    async (path, typed: Record<string, string>, secrets: readonly string[]) => {
      await page.goto(`${browser.url}${path}`);
      for (const [label, text] of Object.entries(typed)) await field(label).fill(text);
      const expected = Object.entries(typed).map(([label, text]) => (secrets.includes(label) ? '' : text));
      expect(await kept(path, Object.keys(typed))).toEqual(expected);
    },
  );

  it('keep changed settings of a destination, until they are saved', async () => {
    const path = `/destinations/${hook.id}?tab=settings`;
    await page.goto(`${browser.url}${path}`);
    await field('Webhook URL').fill('https://hooks.example.com/changed');
    await page.getByRole('tab', { name: 'Test' }).click();
    await page.getByRole('tab', { name: 'Settings' }).click();
    expect(await field('Webhook URL').inputValue()).toBe('https://hooks.example.com/changed');
    expect(await kept(path, ['Webhook URL'])).toEqual(['https://hooks.example.com/changed']);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. It goes live within a second.').waitFor();
    const read = made(await own.admin.get(`/v2/destinations/${hook.id}`)).destination;
    expect(read.config.webhookUrl).toBe('https://hooks.example.com/changed');
  });

  const openTest = async (at: string, id: string) => {
    await page.goto(`${at}/code/${id}`);
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('All tests passed').waitFor();
    await page.getByText('page · Home').first().click();
    await page.getByRole('button', { name: 'Save as a test' }).locator('visible=true').click();
  };

  it('keep a test of code that is closed by a slip of the hand', async () => {
    const { id } = await newTransformation(own.writer, KEEP, { name: uniqueName('slip') });
    await openTest(browser.url, id);
    await field('Test name').fill('the home page');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Save as a test' }).locator('visible=true').click();
    expect(await field('Test name').inputValue()).toBe('the home page');
  });

  it('forget everything with the sign-out', async () => {
    await page.goto(`${browser.url}/settings`);
    await field('Name').fill('of somebody else');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await field('Access token').fill(own.tokens.admin);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await field('Name').waitFor();
    expect(await field('Name').inputValue()).toBe('');
  });

  it('work on another machine without HTTPS, where browsers offer less', async () => {
    const { id } = await newTransformation(own.writer, KEEP, { name: uniqueName('far') });
    await page.goto(browser.farUrl);
    await field('Access token').fill(own.tokens.admin);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(await page.evaluate('isSecureContext')).toBe(false);
    await openTest(browser.farUrl, id);
    await page.getByRole('button', { name: 'Save test' }).click();
    await page.getByRole('region', { name: 'Saved tests' }).getByText('passes').waitFor();
    await page.goto(`${browser.farUrl}/sources/new`);
    await field('Name').fill('far');
    await page.getByRole('button', { name: 'Create source' }).click();
    // read from the browser's own event, because the button says "Copied" for a moment only
    const copied = page.evaluate<string>(
      `new Promise((resolve) => addEventListener('copy', () => resolve(document.activeElement.value), { once: true }))`,
    );
    await page.getByRole('button', { name: 'Copy' }).first().click();
    expect(await copied).toContain('curl');
    expect(await copied).not.toContain('YOUR_WRITE_KEY');
  });
});
