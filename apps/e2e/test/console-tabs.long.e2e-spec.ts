import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import { sharedStack } from '@weir/local';
import { uniqueName } from '@weir/testing';
import type { Page } from 'playwright-core';
import { withBrowser } from './support/browser.js';
import { useConsole } from './support/console.js';
import { made, newWorkspace, type Workspace } from './support/workspace.js';

withBrowser('a tab whose browser signs in again (needs Chromium, or CHROMIUM_PATH)', () => {
  const browser = useConsole();
  let one: Workspace;
  let two: Workspace;
  let page: Page;
  const nameOfTwo = uniqueName('two');

  beforeAll(async () => {
    [one, two] = [await newWorkspace(), await newWorkspace(nameOfTwo)];
  });

  beforeEach(async () => {
    page = await browser.signedIn(one);
    await page.goto(`${browser.url}/sources/new`);
    await name().fill('typed in one');
  });

  const name = () => page.getByLabel('Name', { exact: true });
  const heading = (text: string) => page.getByRole('heading', { level: 1, name: text });
  const sourcesOf = async ({ admin }: Workspace) => made(await admin.get('/v2/sources')).sources;
  const typed = () =>
    page.evaluate<string[]>("Object.keys(sessionStorage).filter((key) => key.startsWith('weir.typed.'))");

  /** Signs in beside the page, which hears nothing of it. */
  async function behind({ tokens }: Workspace): Promise<void> {
    const headers = { origin: String(sharedStack().urls[0]) };
    const answer = await page
      .context()
      .request.post(`${browser.url}/session`, { headers, data: { token: tokens.admin } });
    expect(answer.status()).toBe(201);
  }

  it('belongs to the other workspace at once, and has forgotten what was typed', async () => {
    const other = await page.context().newPage();
    const { path } = made(await two.admin.post('/console/links', {}), 201);
    await other.goto(sharedStack().urls[0] + path);
    await page.getByText(nameOfTwo, { exact: true }).waitFor();
    expect(await name().inputValue()).toBe('');
    await other.getByRole('button', { name: 'Sign out' }).click();
    await heading('Sign in to Weir').waitFor();
    expect(await typed()).toEqual([]);
  });

  it('changes nothing in either workspace before it has heard of it', async () => {
    await behind(two);
    await page.getByRole('button', { name: 'Create source' }).click();
    await page.getByText(nameOfTwo, { exact: true }).waitFor();
    expect(await name().inputValue()).toBe('');
    expect([await sourcesOf(one), await sourcesOf(two)]).toEqual([[], []]);
  });

  it('goes on with what was typed if the same person has signed in', async () => {
    await behind(one);
    await page.getByRole('button', { name: 'Create source' }).click();
    await page.getByText('This browser has signed in again').waitFor();
    await page.getByRole('button', { name: 'Create source' }).click();
    await heading('typed in one').waitFor();
  });
});
