import { beforeAll, expect, it } from '@jest/globals';
import { uniqueName } from '@weir/testing';
import type { Page } from 'playwright-core';
import { withBrowser } from './support/browser.js';
import { KEEP, newTransformation } from './support/code.js';
import { useConsole } from './support/console.js';
import { newWebhook } from './support/inventory.js';
import { EMAIL, made, newWorkspace, type Workspace } from './support/workspace.js';

const MINE = 'export function transformEvent() { return { mine: 1 }; }';
/** With the line ends of Windows, which the editor does not keep. */
const THEIRS = 'export function transformEvent() {\r\nreturn { theirs: 1 }; }';

withBrowser('what two people change at the same time in the console (needs Chromium, or CHROMIUM_PATH)', () => {
  const browser = useConsole();
  let own: Workspace;
  let page: Page;

  beforeAll(async () => {
    own = await newWorkspace();
    page = await browser.signedIn(own);
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const editor = (of: string) => page.getByRole('textbox', { name: `JavaScript of this ${of}` });
  const saidBy = (name: string) => page.getByText(`${name} has saved another version meanwhile.`);
  const newestOf = async (path: string, list: string) =>
    made(await own.admin.get(`${path}/versions?orderBy=DESC&count=1`))[list][0].code;

  it('settings of a destination are not overwritten, and both versions can be had', async () => {
    const { id } = await newWebhook(own.writer, 'https://hooks.example.com/', { name: 'Pager' });
    const nameOf = async () => made(await own.admin.get(`/v2/destinations/${id}`)).destination.name;
    await page.goto(`${browser.url}/destinations/${id}?tab=settings`);
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('mine');
    made(await own.writer.put(`/v2/destinations/${id}`, { name: 'theirs' }));
    await button('Save').click();
    await saidBy('Somebody else').waitFor();
    expect([await nameOf(), await name.inputValue()]).toEqual(['theirs', 'mine']);
    await page.getByText('Compare').click();
    await page.getByText('"theirs"').waitFor();
    await button('Keep mine').click();
    await button('Save').click();
    await page.getByText('Saved. It goes live within a second.').waitFor();
    expect(await nameOf()).toBe('mine');
  });

  it('a newer draft of code stays the newest, with the name of who saved it', async () => {
    const { id } = await newTransformation(own.writer, KEEP, { name: uniqueName('shared') });
    await page.goto(`${browser.url}/code/${id}`);
    await editor('code').fill(MINE);
    made(await own.writer.post(`/transformations/${id}`, { code: THEIRS }));
    await button('Save and test').click();
    await saidBy(EMAIL).waitFor();
    expect(await newestOf(`/transformations/${id}`, 'TransformationVersions')).toBe(THEIRS);
    await button('Use theirs').click();
    await button('Test').waitFor();
    expect(await editor('code').textContent()).toBe(THEIRS.replace('\r\n', ''));
  });

  it('a library keeps what is typed while somebody else saves it', async () => {
    const body = { name: uniqueName('shared'), code: 'export const one = 1;' };
    const { id } = made(await own.writer.post('/libraries', body));
    await page.goto(`${browser.url}/libraries/${id}`);
    await editor('library').fill('export const mine = 1;');
    made(await own.writer.post(`/libraries/${id}`, { code: 'export const theirs = 1;' }));
    await button('Save').click();
    await saidBy(EMAIL).waitFor();
    expect(await editor('library').textContent()).toBe('export const mine = 1;');
    expect(await newestOf(`/libraries/${id}`, 'libraryVersions')).toBe('export const theirs = 1;');
  });

  it('a test that is deleted takes no other one along', async () => {
    const { id } = await newTransformation(own.writer, KEEP, { name: uniqueName('tested') });
    const test = (name: string) => ({ name, input: [{ type: 'track' }], expectedOutput: [{ type: 'track' }] });
    const path = `/transformations/${id}/tests`;
    const names = async () => made(await own.admin.get(path)).tests.map(({ name }: { name: string }) => name);
    made(await own.writer.put(path, { tests: [test('old')] }));
    await page.goto(`${browser.url}/code/${id}`);
    await page.getByText('old', { exact: true }).click();
    const { tests } = made(await own.admin.get(path));
    made(await own.writer.put(path, { tests: [...tests, test('theirs')] }));
    await button('Delete test old').click();
    await page.getByText('Test deleted.').waitFor();
    expect(await names()).toEqual(['theirs']);
    await button('Undo').click();
    await page.getByText('2 saved tests').waitFor();
    expect((await names()).sort()).toEqual(['old', 'theirs']);
  });

  it('new code is made once, also if its test cannot run', async () => {
    const name = uniqueName('once');
    await page.route('**/transformations/tests/run**', (route) => route.abort());
    await page.goto(`${browser.url}/code/new`);
    await page.getByLabel('Name', { exact: true }).fill(name);
    await editor('code').press('Control+s');
    await editor('code').press('Control+s');
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.unrouteAll();
    const { transformations } = made(await own.admin.get('/transformations?status=all'));
    expect(transformations.filter((one: { name: string }) => one.name === name)).toHaveLength(1);
  });

  it('code that goes live without its destination says so, and is connected later', async () => {
    const name = uniqueName('Connected');
    const destination = await newWebhook(own.writer, 'https://hooks.example.com/', { name });
    const { id } = await newTransformation(own.writer, KEEP, { name: uniqueName('late') }, { publish: false });
    const linked = '**/v2/destinations/*/transformation';
    await page.route(linked, (route) => route.abort());
    await page.goto(`${browser.url}/code/${id}?dialog=publish`);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(name).check();
    await dialog.getByRole('button', { name: 'Publish now' }).click();
    await dialog.getByText('The code is live, but it is not connected').waitFor();
    await page.unroute(linked);
    await page.goto(`${browser.url}/code/${id}`);
    await button('Destinations …').click();
    await dialog.getByLabel(name).check();
    await dialog.getByRole('button', { name: 'Connect' }).click();
    await page.getByText('Connected. It runs there within a second.').waitFor();
    const read = made(await own.admin.get(`/transformations/${id}`));
    expect(read.destinations).toEqual([destination.id]);
  });
});
