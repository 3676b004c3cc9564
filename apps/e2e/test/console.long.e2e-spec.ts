import { beforeAll, expect, it } from '@jest/globals';
import { sharedStack } from '@weir/local';
import { uniqueName, until } from '@weir/testing';
import type { Page } from 'playwright-core';
import { held, withBrowser } from './support/browser.js';
import { KEEP, newLibrary, newTransformation } from './support/code.js';
import { useConsole } from './support/console.js';
import { useHook } from './support/hook.js';
import { connect, type Destination, newSource, newWebhook, type Source, sendEvent } from './support/inventory.js';
import { made, newToken, newWorkspace, type Workspace } from './support/workspace.js';

/** Names that a stranger may send. None of them may become markup, turn the line around or vanish. */
const SCRIPT_NAME = '<img src=x onerror=alert(1)><script>alert(2)</script>';
const TURNED_NAME = 'evil\u202Etxt';

withBrowser('the console (needs Chromium, or CHROMIUM_PATH)', () => {
  const hook = useHook();
  const browser = useConsole();
  let own: Workspace;
  let source: Source;
  let good: Destination;
  let page: Page;

  beforeAll(async () => {
    own = await newWorkspace();
    source = await newSource(own.writer, { name: 'Web shop', type: 'Javascript' });
    good = await newWebhook(own.writer, `${hook.url}/good`, { name: 'Warehouse' });
    await connect(own.writer, source, good);
    page = await browser.newPage();
  });

  const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
  const go = async (path: string, title: string | RegExp) => {
    await page.goto(`${browser.url}${path}`);
    await heading(title).waitFor();
  };

  it('is opened by a link that works once, and by an access token', async () => {
    const { path } = made(await own.admin.post('/console/links', {}), 201);
    await page.goto(sharedStack().urls[0] + path);
    await heading('Overview').waitFor();
    expect(page.url()).not.toContain('code=');

    const other = await browser.newPage();
    await other.goto(sharedStack().urls[0] + path);
    await other.getByText(/The link was used/).waitFor();
    await other.getByLabel('Access token').fill(own.tokens['read-only']);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    // nothing is offered that the role may not do
    await other.goto(`${browser.url}/sources`);
    await other.getByRole('link', { name: 'Web shop' }).waitFor();
    expect(await other.getByRole('link', { name: 'New source' }).count()).toBe(0);
    await other.context().close();
  });

  it('makes a source, waits for its first event, and turns green by itself', async () => {
    await go('/sources/new', 'New source');
    const name = uniqueName('site');
    await page.getByLabel('Name').fill(name);
    // the typed text survives a reload
    await page.reload();
    await page.getByRole('button', { name: 'Create source' }).click();
    await heading(name).waitFor();
    await page.getByText('Waiting for the first event.').waitFor();
    await page.getByRole('button', { name: 'Show the write key' }).click();
    const shown = page.locator('section:has(h2:text-is("Write key")) code');
    await shown.filter({ hasText: /^\w{20,}$/ }).waitFor();
    const writeKey = await shown.textContent();
    await sendEvent({ id: '', name, writeKey: String(writeKey) }, 'track', { userId: 'ada', event: 'First' });
    await page.getByText('Events arrive.').waitFor();
  });

  it('makes a destination from the catalogue with a form made from its schema', async () => {
    await go('/destinations/new', 'New destination');
    await page.getByLabel('Find a kind').fill('webhook');
    await page
      .getByRole('link', { name: /Webhook/ })
      .first()
      .click();
    const name = uniqueName('hook');
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Webhook URL').fill('no address');
    await page.getByRole('button', { name: 'Create destination' }).click();
    await page.getByRole('alert').waitFor(); // the API's own sentence, and nothing is lost
    await page.getByLabel('Webhook URL').fill(`${hook.url}/made`);
    await page.getByRole('button', { name: 'Create destination' }).click();
    await heading(name).waitFor();
    // one event through the stages
    await page.getByRole('tab', { name: 'Test' }).click();
    await page.getByRole('button', { name: 'Run stages' }).click();
    await page.getByRole('heading', { name: "The destination's format" }).waitFor();
  });

  it('writes code, runs it on the server, and publishes it to a destination', async () => {
    await go('/code/new', 'New code');
    const name = uniqueName('mask');
    await page.getByLabel('Name', { exact: true }).fill(name);
    await typeCode(
      'JavaScript of this code',
      'export function transformEvent(event) { event.seenBy = "weir"; return event; }',
    );
    await page.getByRole('button', { name: 'Save and test' }).click();
    await page.getByText('All tests passed').waitFor();
    await page.getByRole('button', { name: /Publish/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Passes all tests').waitFor();
    await dialog.getByLabel('Warehouse').check();
    await dialog.getByLabel('Reason').fill('the warehouse asked for it');
    await dialog.getByRole('button', { name: 'Publish now' }).click();
    await page.getByRole('button', { name: 'Live', exact: true }).waitFor();
    await page.getByRole('tab', { name: /History/ }).click();
    await page.getByText('the warehouse asked for it').waitFor();
  });

  const typeCode = async (label: string, code: string) => {
    await page.getByRole('textbox', { name: label }).click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('Backspace'); // the editor deletes it: the browser would try to keep the style of what it replaces
    await page.keyboard.insertText(code);
  };

  /** A workspace's first sample of a kind of event comes a moment after the event. */
  const sampleOf = (name: string) =>
    until(`a sample of ${name}`, async () => {
      const read = async (path: string) => (await page.request.get(`${sharedStack().urls[0]}/schemas${path}`)).json();
      const models = await read('/event-models');
      const model = models.find((one: { EventIdentifier: string }) => one.EventIdentifier === name);
      return model && (await read(`/event-model/${model.EventID}/metadata`)).SampledEvents.length > 0;
    });

  it('keeps an event with what the code makes of it, and expects that of every later revision', async () => {
    await sendEvent(source, 'track', { userId: 'bob', event: 'Signed up', properties: { email: 'bob@corp.example' } });
    await sampleOf('Signed up');
    const { id } = await newTransformation(own.writer, KEEP, { name: uniqueName('kept') });
    const schemas = await held(page, '**/schemas/**');
    await page.goto(`${browser.url}/code/${id}`);
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    schemas.release();
    await page.getByText('All tests passed').waitFor();
    await page.getByText('track · Signed up').click();
    await page.getByRole('button', { name: 'Save as a test' }).locator('visible=true').click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Event').inputValue()).not.toMatch(/bob/);
    await dialog.getByLabel('Test name').fill('keeps all');
    await dialog.getByRole('button', { name: 'Save test' }).click();
    const saved = page.getByRole('region', { name: 'Saved tests' });
    await saved.getByText('passes').waitFor();
    // a later revision makes something else of it, and nothing of that goes live by accident
    await typeCode('JavaScript of this code', 'export const transformEvent = (event) => ({ ...event, late: true });');
    await page.getByRole('button', { name: 'Save and test' }).click();
    await saved.getByText('differs').waitFor();
    await page.getByRole('button', { name: 'Publish …' }).click();
    await dialog.getByText(/the output is not the expected output/).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await saved.getByRole('button', { name: 'Expect this result' }).click();
    await saved.getByText('passes').waitFor();
    expect(made(await own.admin.get(`/transformations/${id}/tests`)).tests).toMatchObject([
      { name: 'keeps all', expectedOutput: [{ event: 'Signed up', late: true }] },
    ]);
  });

  it('shows before a library goes live which code runs it, and which of its events change', async () => {
    const library = await newLibrary(own.writer, 'export const tax = 1;', { name: uniqueName('tax') });
    const { importName } = made(await own.admin.get(`/libraries/${library.id}`));
    const till = await newWebhook(own.writer, `${hook.url}/till`, { name: uniqueName('Till') });
    await connect(own.writer, source, till);
    const code = `import { tax } from '${importName}'; export const transformEvent = (event) => ({ ...event, tax });`;
    const user = await newTransformation(own.writer, code, { name: uniqueName('bill'), destinationIds: [till.id] });
    await sendEvent(source, 'track', { userId: 'ada', event: 'Billed' });
    await sampleOf('Billed');
    await page.goto(`${browser.url}/libraries/${library.id}`);
    await page.getByRole('region', { name: 'Used by' }).getByRole('link').waitFor();
    await typeCode('JavaScript of this library', 'export const tax = 2;');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Publish …' }).click();
    const evidence = page.getByRole('dialog');
    await evidence.getByText('Affects 1 live transformation.').waitFor();
    await evidence.getByText(`at ${till.name}.`).waitFor();
    await evidence.getByRole('button', { name: 'Publish now' }).click();
    await page.getByRole('button', { name: 'Live', exact: true }).waitFor();
    expect(made(await own.admin.get(`/transformations/${user.id}`)).isPublished).toBe(true);
    // the way back has the same evidence, and its reason stands in the history
    await page.getByRole('tab', { name: /History/ }).click();
    await page.locator('ol button').last().click();
    await page.getByRole('button', { name: 'Roll back to this' }).click();
    await evidence.getByText(`at ${till.name}.`).waitFor();
    await evidence.getByLabel('Reason').fill('the rate was wrong');
    await evidence.getByRole('button', { name: 'Publish now' }).click();
    await page.getByText('the rate was wrong').waitFor();
    expect(made(await own.admin.get(`/libraries/${library.id}`)).versionId).toBe(library.versionId);
  });

  it('shows events live, whatever they hold, and the whole life of each', async () => {
    await go('/live', 'Live');
    await page.getByText('listening').waitFor();
    const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`key${at}`, at]));
    await sendEvent(source, 'track', { userId: 'eve', event: SCRIPT_NAME, messageId: 'hostile-1', properties: wide });
    await sendEvent(source, 'track', { userId: 'eve', event: TURNED_NAME, properties: { blob: 'x'.repeat(400_000) } });
    await page.getByText('evil\\u202etxt').first().waitFor();
    await page.getByLabel('Find in events').fill('onerror');
    const row = page.getByRole('button', { name: SCRIPT_NAME }).first();
    await row.click();
    const life = page.getByRole('dialog');
    await life.getByText('10,000 keys').or(life.getByText('9,950 more')).first().waitFor();
    await life.getByRole('region', { name: 'Way to Warehouse' }).getByText('delivered').first().waitFor();
    expect(page.url()).toContain('event=hostile-1');
    await life.getByRole('button', { name: 'Copy as curl' }).waitFor();
    // the address alone opens it again
    await page.reload();
    await page.getByRole('region', { name: 'Way to Warehouse' }).waitFor();
    expect(await page.locator('img[src=x]').count()).toBe(0);
    expect(browser.alerts).toEqual([]);
  });

  it('finds the earlier events of a user, and leads to the life of each', async () => {
    await sendEvent(source, 'track', { userId: 'finder', event: 'Found later', messageId: 'later-1' });
    await go('/live', 'Live');
    await page.getByLabel('Find earlier events by user or message ID').fill('finder');
    await page.keyboard.press('Enter');
    await heading('Earlier events').waitFor();
    // the steps of an event are written after its delivery, and this list stands still
    await until('the event of the user', async () => {
      await page.reload();
      await page.getByRole('link', { name: 'Found later' }).or(page.getByText('No events found')).first().waitFor();
      return (await page.getByRole('link', { name: 'Found later' }).count()) === 1;
    });
    await page.getByRole('link', { name: 'Found later' }).click();
    await page.getByRole('region', { name: 'Way to Warehouse' }).waitFor();
    await go('/events?find=later-1', 'Earlier events');
    await page.getByRole('link', { name: 'Found later' }).waitFor();
  });

  it('draws only the rows in sight of a long list', async () => {
    const rows = Array.from({ length: 100_000 }, (_, at) => ({ id: `model-${at}`, name: `Row ${at}` }));
    await page.route('**/v2/sources*', async (route) => {
      const { sources } = await (await route.fetch()).json();
      const long = rows.map((row) => ({ ...sources[0], ...row }));
      await route.fulfill({ json: { sources: long, paging: {} } });
    });
    await go('/sources', 'Sources');
    await page.getByRole('link', { name: 'Row 0', exact: true }).waitFor();
    const list = page.getByRole('region', { name: 'Sources: table' });
    expect(await list.getByRole('row').count()).toBeLessThan(100);
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await list.getByRole('link', { name: 'Row 99999' }).waitFor();
    expect(await list.getByRole('row').count()).toBeLessThan(100);
    await page.unroute('**/v2/sources*');
  });

  it('groups what failed, and sends it again', async () => {
    const bad = await newWebhook(own.writer, `${hook.url}/bad`, { name: 'CRM' });
    await connect(own.writer, source, bad);
    hook.answer({ status: 422, body: { problem: 'no such plan' } });
    await sendEvent(source, 'track', { userId: 'ada', event: 'Bought' });
    await go(`/destinations/${bad.id}?tab=failures`, 'CRM');
    await page.getByText('1 failed for good').waitFor();
    hook.answer({ status: 200 });
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Sending 1 event again.').waitFor();
    await page.getByText('1 of 1 event sent again').waitFor();
    await page.getByText('No failures').waitFor();
  });

  it('suppresses a user after a dry run and a question', async () => {
    await go('/privacy?tab=new', 'Privacy');
    const user = uniqueName('user');
    await page.getByLabel('User IDs', { exact: true }).fill(user);
    await page.getByRole('button', { name: 'Preview effect' }).click();
    await page.getByRole('button', { name: 'Suppress …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Suppress' }).click();
    await page.getByRole('link', { name: user }).click();
    await heading(user).waitFor();
  });

  it('deletes a user everywhere for the role privacy, which lists no destinations', async () => {
    const privacy = await browser.newPage();
    await privacy.goto(`${browser.url}/privacy?tab=new`);
    await privacy.getByLabel('Access token').fill(await newToken(own.id, 'privacy'));
    await privacy.getByRole('button', { name: 'Sign in' }).click();
    await privacy.getByLabel('Action').selectOption('suppress_with_delete');
    const user = uniqueName('user');
    await privacy.getByLabel('User IDs', { exact: true }).fill(user);
    await privacy.getByRole('button', { name: 'Preview effect' }).click();
    await privacy.getByText('Warehouse').waitFor();
    await privacy.getByText('set config.deletionUrl').first().waitFor();
    await privacy.getByRole('button', { name: 'Suppress and delete …' }).click();
    await privacy.getByRole('dialog').getByRole('textbox').fill('delete');
    await privacy.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await privacy.getByRole('link', { name: user }).click();
    await privacy.getByRole('heading', { level: 1, name: user }).waitFor();
    await privacy.getByRole('cell', { name: 'Warehouse' }).waitFor();
    await privacy.context().close();
  });

  it('makes an access token, shows it once, and revokes it', async () => {
    await go('/settings', 'Settings');
    await page.getByLabel('Name', { exact: true }).fill('from the console');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByText('It is shown only once.').waitFor();
    await page.getByRole('button', { name: 'Revoke from the console' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke from the console' }).waitFor({ state: 'detached' });
  });

  it('makes a channel for notifications, and shows its key once', async () => {
    await go('/settings?tab=notifications', 'Settings');
    await page.getByLabel('Name', { exact: true }).fill('On call');
    await page.getByLabel('Address (URL)').fill('https://hooks.example.com/weir');
    await page.getByRole('button', { name: 'Create channel' }).click();
    await page.getByText('It is shown only once.').waitFor();
    await page.getByRole('button', { name: 'Delete On call' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete On call' }).waitFor({ state: 'detached' });
  });

  it('shows what each way carries, and connects by dragging or by keyboard, after a question', async () => {
    const shop = await newSource(own.writer, { name: uniqueName('Kiosk'), type: 'Javascript' });
    const [mail, chat] = await Promise.all(
      ['Mail', 'Chat'].map((name) => newWebhook(own.writer, `${hook.url}/late`, { name: uniqueName(name) })),
    );
    if (!mail || !chat) throw new Error('both were made');
    await go('/', 'Overview');
    await page.getByRole('img', { name: /^Hour by hour: [1-9]/ }).waitFor();
    await page
      .getByRole('list', { name: 'Ways into destinations' })
      .getByText(/Warehouse: .*95 of 100 events/)
      .waitFor();
    const flow = page.getByRole('region', { name: 'Flow of events' });
    await page.setViewportSize({ width: 1280, height: 1600 }); // the whole graph, so that nothing scrolls during a drag
    const question = page.getByRole('dialog');

    await flow.getByRole('link', { name: shop.name }).dragTo(flow.getByRole('link', { name: mail.name }));
    await question.getByRole('button', { name: 'Cancel' }).click(); // nothing is connected by a slip of the hand
    await flow.getByRole('link', { name: shop.name }).dragTo(flow.getByRole('link', { name: mail.name }));
    await question.getByRole('button', { name: 'Connect' }).click();
    await page.getByText('Connected.').waitFor();

    await flow.getByRole('button', { name: `Connect ${shop.name} to` }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: chat.name }).waitFor();
    expect(await page.getByRole('menuitem', { name: mail.name }).count()).toBe(0);
    await page.getByRole('menuitem', { name: chat.name }).focus();
    await page.keyboard.press('Enter');
    await question.getByRole('button', { name: 'Connect' }).press('Enter');
    await until('both connections', async () => {
      const { connections } = made(await own.reader.get('/v2/connections'));
      const of = connections.filter(({ sourceId }: { sourceId: string }) => sourceId === shop.id);
      return of.length === 2;
    });
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('stays where it is while something is dragged, whatever news comes meanwhile', async () => {
    const shop = await newSource(own.writer, { name: uniqueName('Stand'), type: 'Javascript' });
    const mail = await newWebhook(own.writer, `${hook.url}/late`, { name: uniqueName('Letter') });
    await page.setViewportSize({ width: 1280, height: 1600 });
    await go('/', 'Overview');
    const flow = page.getByRole('region', { name: 'Flow of events' });
    const [from, to] = [flow.getByRole('link', { name: shop.name }), flow.getByRole('link', { name: mail.name })];
    await from.waitFor();
    const aim = await to.boundingBox();
    if (!aim) throw new Error('the destination is in the picture');
    await page.route('**/v2/deliveries/counters*', async (route) => {
      const answer = await (await route.fetch()).json();
      const data = [...answer.data, { ...answer.data[0], destinationId: mail.id, accepted: 9, dead: 9, inRetry: 0 }];
      await route.fulfill({ json: { ...answer, data } });
    });
    await from.hover();
    await page.mouse.down();
    const news = page.getByText('9 events could not be delivered');
    await page.waitForResponse((response) => response.url().includes('/v2/deliveries/counters'));
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    expect(await news.count()).toBe(0);
    for (const nearer of [20, 0]) await page.mouse.move(aim.x + 40 - nearer, aim.y + aim.height / 2 - nearer);
    await page.mouse.up();
    await page.getByRole('dialog', { name: `Connect ${shop.name} to ${mail.name}?` }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await news.waitFor(); // events that were held back come afterwards
    await page.unroute('**/v2/deliveries/counters*');
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('goes anywhere by keyboard', async () => {
    await go('/', 'Overview');
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox').fill('Warehouse');
    await page.getByRole('option', { name: 'Warehouse', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await heading('Warehouse').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await heading('Schemas').waitFor();
  });

  it('broke no rule of its content security policy', () => {
    expect(browser.refusals).toEqual([]);
  });
});
