import { beforeAll, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { withBrowser } from './support/browser.js';
import { useConsole } from './support/console.js';
import { useHook } from './support/hook.js';
import { openShop, type Shop } from './support/shop.js';
import { newWorkspace, type Workspace } from './support/workspace.js';

/** Lines such as `- switch "Accept events" [checked]` in what assistive technology sees of a page. */
const ACTION = /- (?:button|switch|tab|menuitem) "((?:[^"\\]|\\.)+)"(.*)/g;

/** The whole palette without a mouse. */
withBrowser('the palette of the console (needs Chromium, or CHROMIUM_PATH)', () => {
  const hook = useHook();
  const browser = useConsole();
  let own: Workspace;
  let shop: Shop;
  let page: Page;

  beforeAll(async () => {
    own = await newWorkspace();
    shop = await openShop(own, hook);
    page = await browser.signedIn(own);
  });

  const key = (name: string) => page.keyboard.press(name);
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  const option = (name: string) => page.getByRole('option', { name }).first();
  const open = async () => {
    await key('ControlOrMeta+k');
    await page.getByRole('combobox').waitFor();
  };
  /** Types a name and presses Enter. */
  const choose = async (name: string, chosen = name) => {
    await open();
    await page.keyboard.insertText(name);
    await page.getByRole('option', { name: new RegExp(`^${chosen}`), selected: true }).waitFor();
    await key('Enter');
  };

  it.each([
    ['Web shop', 'Web shop'],
    ['Warehouse', 'Warehouse'],
    ['Price in euro', 'Price in euro'],
    ['money', 'money'],
    ['Order completed', 'Order completed'],
    ['New source', 'New source'],
    ['New destination', 'New destination'],
    ['New code', 'New code'],
    ['New library', 'New library'],
    ['Notifications', 'Settings'],
    ['Audit', 'Privacy'],
  ])('opens %s', async (name, title) => {
    await page.goto(`${browser.url}/`);
    await heading('Overview').waitFor();
    await choose(name);
    await heading(title).waitFor();
  });

  it('takes what was typed for a user: of events and of regulations', async () => {
    await choose('grace', 'Events of grace');
    await heading('Earlier events').waitFor();
    await page.getByRole('link', { name: 'Order completed' }).first().waitFor();
    await open();
    await page.keyboard.insertText('former-customer');
    await option('Events of former-customer').waitFor();
    await key('ArrowDown');
    await key('Enter');
    await heading('Privacy').waitFor();
    await page.getByRole('link', { name: 'former-customer' }).waitFor();
  });

  const PAGES: Record<string, (shop: Shop) => string> = {
    Overview: () => '/',
    Live: () => '/live',
    'Mask addresses': ({ code }) => `/code/${code}`,
    money: ({ library }) => `/libraries/${library}`,
    'Web shop': ({ source }) => `/sources/${source.id}`,
    Warehouse: ({ warehouse }) => `/destinations/${warehouse.id}`,
    CRM: ({ crm }) => `/destinations/${crm.id}?tab=failures`,
    'Order completed': ({ model }) => `/schemas/${model}`,
    'former-customer': ({ regulation }) => `/privacy/${regulation}`,
    Privacy: () => '/privacy?tab=audit',
    Settings: () => '/settings?tab=tokens',
  };

  it.each(Object.entries(PAGES))('has every action of the page %s', async (title, path) => {
    await page.goto(browser.url + path(shop));
    await heading(title).waitFor();
    for (const waiting of await page.getByRole('status', { name: /: loading$/ }).all())
      await waiting.waitFor({ state: 'detached' });
    const seen = await page.locator('#page').ariaSnapshot();
    const names = [...seen.matchAll(ACTION)].flatMap(([, name = '', state = '']) =>
      state.includes('disabled') ? [] : [name.replaceAll('\\"', '"')],
    );
    const rows = new Set(await page.locator('#page :is(thead, ol) button').allInnerTexts());
    await open();
    for (const name of names.filter((one) => !rows.has(one))) {
      await page.getByRole('combobox').fill(name);
      await option(name).waitFor();
    }
    await key('Escape');
  });

  it('presses a switch, which asks first, and an action that its page hides behind three dots', async () => {
    await page.goto(`${browser.url}/sources/${shop.waiting.id}`);
    await heading('Till in the store').waitFor();
    await choose('Accept events');
    await page.getByRole('dialog', { name: 'Switch off Till in the store?' }).waitFor();
    await key('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await choose('Delete source');
    const question = page.getByRole('dialog', { name: 'Delete Till in the store?' });
    await question.waitFor();
    await page.keyboard.insertText('delete');
    await key('Enter');
    await heading('Sources').waitFor();
  });

  it('opens a tab, and a menu of the page', async () => {
    await page.goto(`${browser.url}/code/${shop.code}`);
    await heading('Mask addresses').waitFor();
    await choose('History');
    await page.getByText('Changes in this revision').waitFor();
    await page.goto(`${browser.url}/`);
    await heading('Overview').waitFor();
    await page.getByRole('button', { name: 'Connect iOS app to …' }).waitFor();
    await choose('Connect iOS app to …');
    await page.getByRole('menuitem', { name: 'CRM' }).waitFor();
    await key('Escape');
  });

  it('acts on the dialog in front', async () => {
    await page.goto(`${browser.url}/code/${shop.draft}?dialog=publish`);
    await page.getByText('Passes all tests').waitFor();
    await choose('Publish now');
    await page.getByText('Published. It goes live').waitFor();
  });

  it('signs out', async () => {
    await page.goto(`${browser.url}/`);
    await heading('Overview').waitFor();
    await choose('Sign out');
    await page.getByLabel('Access token').waitFor();
  });
});
