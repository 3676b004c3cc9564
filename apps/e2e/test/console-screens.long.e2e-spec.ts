import { beforeAll, expect, it } from '@jest/globals';
import { sharedStack } from '@weir/local';
import type { Page } from 'playwright-core';
import { withBrowser } from './support/browser.js';
import { useConsole } from './support/console.js';
import { useHook } from './support/hook.js';
import { sendEvent } from './support/inventory.js';
import { picture, violationsOf } from './support/screens.js';
import { sessionOf } from './support/session.js';
import { openShop, type Shop } from './support/shop.js';
import { newWorkspace, type Workspace } from './support/workspace.js';

type Opening = (page: Page, shop: Shop) => Promise<void>;
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).locator('visible=true').first();
const shown = (text: string | RegExp) => (page: Page) => page.getByText(text).locator('visible=true').first().waitFor();

const bought: Opening = async (page, { source }) => {
  await page.getByText('listening').waitFor();
  for (const name of ['Product viewed', 'Order completed', 'Product viewed'])
    await sendEvent(source, 'track', {
      userId: 'ada',
      event: name,
      properties: { name: 'Tent', cents: 990, products: [] },
    });
  await page.getByText('→ Warehouse').nth(2).waitFor();
};
const tested: Opening = async (page) => {
  await button(page, 'Test').click();
  await page.getByText('All tests passed').waitFor();
};
const expected: Opening = async (page, shop) => {
  await tested(page, shop);
  await page.getByText('track · Order completed').first().click();
  await button(page, 'Save as a test').click();
  await page.getByRole('dialog').getByLabel('Event').waitFor();
};
const changed: Opening = async (page) => {
  await page.getByRole('textbox', { name: 'JavaScript of this library' }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Backspace'); // the editor deletes it: the browser would try to keep the style of what it replaces
  await page.keyboard.insertText("export const euro = (cents) => '€ ' + (cents / 100).toFixed(2);");
  await button(page, 'Save').click();
  await button(page, 'Publish …').click();
  await page.getByText(/changes? at CRM/).waitFor();
};
const staged: Opening = async (page) => {
  await button(page, 'Run stages').click();
  await page.getByRole('heading', { name: "The destination's format" }).waitFor();
};
const lived: Opening = async (page, { source }) => {
  const messageId = 'order-a-2001';
  await page.getByText('listening').waitFor();
  const properties = { orderId: 'A-2001', cents: 4950, coupon: 'SPRING', products: [{ name: 'Tent', cents: 4950 }] };
  await sendEvent(source, 'track', { userId: 'grace', event: 'Order completed', messageId, properties });
  await button(page, /accepted .*Order completed/).click();
  const ways = page.getByRole('dialog').getByRole('region', { name: /^Way to/ });
  await ways.getByText('delivered').nth(2).waitFor();
};
const publishing: Opening = async (page) => {
  await button(page, 'Publish …').click();
  await page.getByText(/sampled events change at CRM/).waitFor();
  await page.getByLabel('Ad audiences').check();
  await page.getByLabel('Reason').fill('Say the currency beside the price (SHOP-150)');
  await page.getByText('The evidence above does not cover this destination.').waitFor();
};
const BROWSERS = [
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0',
];
/** A few more people, each in a browser of their own. */
const together: Opening = async (page, { staff }) => {
  for (const [at, token] of staff.entries()) await sessionOf(token, { 'user-agent': BROWSERS[at] ?? '' });
  await page.reload();
  await page
    .getByRole('row')
    .nth(staff.length + 1)
    .waitFor();
  await shown('this session')(page);
};
const asked: Opening = async (page) => {
  await page.getByRole('switch', { name: 'Deliver events' }).click();
  await page.getByRole('dialog', { name: 'Switch off Warehouse?' }).waitFor();
};
const checked: Opening = async (page) => {
  const buffer = Buffer.from(['user_id,name', 'ida,Ida', 'noor,Noor', ',Nobody', 'ida,Ida'].join('\n'));
  const file = { name: 'users.csv', mimeType: 'text/csv', buffer };
  await page.getByLabel('Upload CSV with user IDs').setInputFiles(file);
  await page.getByLabel('Action').selectOption('suppress_with_delete');
  await button(page, 'Preview effect').click();
  await page.getByText(/Uses 2 of the/).waitFor();
};
const beside: Opening = async (page) => {
  await button(page, 'money').click();
  await page.getByRole('textbox', { name: 'JavaScript of money' }).waitFor();
};
const operating: Opening = async (page) => {
  const { user, password } = sharedStack().admin;
  // the stack is shared, and the workspaces of other tests are not part of the picture
  await page.route('**/admin/workspaces?*', async (route) => {
    const { workspaces, paging } = await (await route.fetch()).json();
    const own = workspaces.filter(({ name }: { name: string }) => /^(Trail & Peak|North Coast)/.test(name));
    await route.fulfill({ json: { workspaces: own.slice(-2), paging } });
  });
  await page.getByLabel('User').fill(user);
  await page.getByLabel('Password').fill(password);
  await button(page, 'Sign in as operator').click();
  await page.getByText('Trail & Peak').waitFor();
};
const admitting: Opening = async (page) => {
  await page.getByLabel('Name').fill('North Coast Outfitters');
  await button(page, 'Create workspace').click();
  await page.getByText('No tokens yet. Nobody can sign in.').waitFor();
};
const signedOut: Opening = async (page) => {
  await page.context().clearCookies();
  await page.reload();
  await page.getByLabel('Access token').waitFor();
};
const searched: Opening = async (page) => {
  await shown('Price in euro')(page);
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox').fill('wa');
  await page.getByRole('option', { name: 'Warehouse' }).waitFor();
};

withBrowser('the screens of the console (needs Chromium, or CHROMIUM_PATH)', () => {
  const hook = useHook();
  const browser = useConsole();
  let own: Workspace;
  let shop: Shop;
  let page: Page;

  beforeAll(async () => {
    own = await newWorkspace('Trail & Peak', 'ada@peak.example');
    shop = await openShop(own, hook);
    page = await browser.signedIn(own);
  });

  const SCREENS: readonly [name: string, path: (shop: Shop) => string, open: Opening][] = [
    ['overview', () => '/', shown(/could not be delivered/)],
    ['live', () => '/live', bought],
    ['event', () => '/live', lived],
    ['event-page', () => '/events/order-a-1000', shown('Warehouse')],
    ['events', () => '/events?find=ada', shown('Order completed')],
    ['code', () => '/code', shown('Price in euro')],
    ['transformation', ({ code }) => `/code/${code}`, tested],
    ['code-new', () => '/code/new', shown('Not tested yet')],
    ['history', ({ code }) => `/code/${code}?tab=history`, shown(/SHOP-142/)],
    ['rollback', ({ code }) => `/code/${code}?tab=safety`, shown('Watched versions')],
    ['publish', ({ crmCode }) => `/code/${crmCode}`, publishing],
    ['library-tab', ({ crmCode }) => `/code/${crmCode}`, beside],
    ['save-test', ({ code }) => `/code/${code}`, expected],
    ['library-new', () => '/libraries/new', shown('New library')],
    ['library', ({ library }) => `/libraries/${library}`, shown('Price in euro')],
    ['blast-radius', ({ library }) => `/libraries/${library}`, changed],
    ['library-history', ({ library }) => `/libraries/${library}?tab=history`, shown('Changes in this revision')],
    ['sources', () => '/sources', shown('Web shop')],
    ['source-new', () => '/sources/new', shown('New source')],
    ['source', ({ source }) => `/sources/${source.id}`, shown('Events arrive.')],
    ['source-waiting', ({ waiting }) => `/sources/${waiting.id}`, shown('Waiting for the first event.')],
    ['destinations', () => '/destinations', shown('Warehouse')],
    ['destination', ({ warehouse }) => `/destinations/${warehouse.id}`, shown(/half within/)],
    ['question', ({ warehouse }) => `/destinations/${warehouse.id}`, asked],
    ['failures', ({ crm }) => `/destinations/${crm.id}?tab=failures`, shown(/already closed/)],
    ['stages', ({ warehouse }) => `/destinations/${warehouse.id}?tab=test`, staged],
    ['settings', ({ warehouse }) => `/destinations/${warehouse.id}?tab=settings`, shown('Webhook URL')],
    ['destination-new', () => '/destinations/new?kind=WEBHOOK', shown('Webhook URL')],
    ['catalogue', () => '/destinations/new', shown('Webhook')],
    ['schemas', () => '/schemas', shown('Order completed')],
    ['model', ({ model }) => `/schemas/${model}`, shown('properties.cents')],
    ['versions', ({ model }) => `/schemas/${model}?tab=versions`, shown('What changed')],
    ['samples', ({ model }) => `/schemas/${model}?tab=samples`, shown('properties')],
    ['privacy', () => '/privacy', shown('former-customer')],
    ['regulation', ({ regulation }) => `/privacy/${regulation}`, shown('Warehouse')],
    ['suppress', () => '/privacy?tab=new', checked],
    ['audit', () => '/privacy?tab=audit', shown('regulation.created')],
    ['tokens', () => '/settings', shown('Continuous integration')],
    ['credentials', () => '/settings?tab=credentials', shown('CRM_REGION')],
    ['notifications', () => '/settings?tab=notifications', shown('dead letters')],
    ['sessions', () => '/settings?tab=sessions', together],
    ['health', () => '/settings?tab=health', shown('All processes work.')],
    ['missing', () => '/destinations/nope', shown('There is no such destination')],
    ['palette', () => '/', searched],
    ['operator-sign-in', () => '/operator', shown('Sign in as operator')],
    ['operator', () => '/operator', operating],
    ['operator-tokens', () => '/operator', admitting],
    ['sign-in', () => '/', signedOut],
  ];

  it('would be found inaccessible if a picture had no name, or a text no contrast', async () => {
    await page.goto(`${browser.url}/sources`);
    await shown('Web shop')(page);
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await page.evaluate(`(() => {
      const image = new Image();
      const text = document.createElement('p');
      Object.assign(text.style, { color: '#777', background: '#888' });
      text.textContent = 'grey on grey';
      document.querySelector('main').append(image, text);
    })()`);
    const found = async (rules: 'all' | 'of colours') =>
      (await violationsOf(page, rules)).map((one) => one.split(':')[0]);
    expect(await found('all')).toEqual(['color-contrast', 'image-alt']);
    expect(await found('of colours')).toEqual(['color-contrast']);
  });

  it('has all heads of a list on one line, whichever side they are on and whether they sort', async () => {
    await page.goto(`${browser.url}/schemas`);
    await shown('Order completed')(page);
    const tops = (await page.evaluate(`[...document.querySelectorAll('th')].map((head) => {
      const range = document.createRange();
      range.selectNodeContents(document.createTreeWalker(head, NodeFilter.SHOW_TEXT).nextNode());
      return range.getBoundingClientRect().top;
    })`)) as number[];
    expect(tops.length).toBeGreaterThan(5);
    expect(new Set(tops).size).toBe(1);
  });

  it.each(SCREENS)('is accessible in both themes: %s', async (name, path, open) => {
    await page.goto(`${browser.url}${path(shop)}`);
    await open(page, shop);
    for (const [colorScheme, rules] of [
      ['light', 'all'],
      ['dark', 'of colours'],
    ] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await violationsOf(page, rules)).toEqual([]);
      await picture(page, `${name}-${colorScheme}`);
    }
  });

  it('broke no rule of its content security policy, and ran nothing of an event', () => {
    expect([browser.refusals, browser.alerts]).toEqual([[], []]);
  });
});
