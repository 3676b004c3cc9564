import { beforeAll, expect, it } from '@jest/globals';
import { until } from '@weir/testing';
import type { Page } from 'playwright-core';
import { withBrowser } from './support/browser.js';
import { useConsole } from './support/console.js';
import { useHook } from './support/hook.js';
import { openShop, type Shop } from './support/shop.js';
import { newToken, newWorkspace, type Workspace } from './support/workspace.js';

const ROLES = ['admin', 'write', 'read', 'privacy', 'publish'] as const;

/** The places of each role (docs/specification/access.md). */
const ALL = ['Overview', 'Live', 'Code', 'Sources', 'Destinations', 'Schemas', 'Privacy', 'Settings'];
const PLACES: Record<(typeof ROLES)[number], string[]> = {
  admin: ALL,
  write: ALL,
  read: ALL,
  privacy: ['Overview', 'Schemas', 'Privacy', 'Settings'],
  publish: ['Overview', 'Code', 'Settings'],
};

type Right = readonly [area: string, access: string];
interface Session {
  capabilities: Record<string, string[]>;
}

/** The right that opens a page, by how its address begins. */
const OPENS: readonly [start: string, right: Right][] = [
  ['/code/new', ['transformations', 'write']],
  ['/libraries/new', ['transformations', 'write']],
  ['/sources/new', ['inventory', 'write']],
  ['/destinations/new', ['inventory', 'write']],
  ['/code', ['transformations', 'read']],
  ['/libraries', ['transformations', 'read']],
  ['/sources', ['inventory', 'read']],
  ['/destinations', ['inventory', 'read']],
  ['/live', ['deliveries', 'read']],
  ['/events', ['deliveries', 'read']],
  ['/schemas', ['schemas', 'read']],
  ['/privacy', ['regulations', 'read']],
  ['/', ['console', 'session']],
];
const rightTo = (address: string): Right => {
  const found = OPENS.find(([start]) => address.startsWith(start));
  if (!found) throw new Error(`nobody says who may open ${address}`);
  return found[1];
};

/** The offers of the palette. */
const ACTIONS: readonly [name: string, right: Right][] = [
  ['New source', ['inventory', 'write']],
  ['New destination', ['inventory', 'write']],
  ['New code', ['transformations', 'write']],
  ['New library', ['transformations', 'write']],
  ['Suppress or delete a user', ['regulations', 'write']],
  ['Audit', ['regulations', 'audit']],
];

/** The names of all that can be pressed, chosen or followed on a page. */
const CONTROLS = `[...document.querySelectorAll('#page :is(button, a, select):not(:disabled, thead *)')]
  .map((one) => (one.ariaLabel ?? one.textContent).trim())`;

withBrowser('the roles of the console (need Chromium, or CHROMIUM_PATH)', () => {
  const hook = useHook();
  const browser = useConsole();
  let own: Workspace;
  let shop: Shop;

  beforeAll(async () => {
    own = await newWorkspace();
    shop = await openShop(own, hook);
  });

  const addresses = () => [
    '/',
    '/live',
    '/events?find=ada',
    '/events/order-a-1000',
    '/code',
    '/code/new',
    ...['', '?tab=history', '?tab=safety'].map((tab) => `/code/${shop.code}${tab}`),
    '/libraries/new',
    ...['', '?tab=history'].map((tab) => `/libraries/${shop.library}${tab}`),
    '/sources',
    '/sources/new',
    `/sources/${shop.source.id}`,
    `/sources/${shop.waiting.id}`,
    '/destinations',
    '/destinations/new',
    '/destinations/new?kind=WEBHOOK',
    ...['', '?tab=failures', '?tab=test', '?tab=settings'].map((tab) => `/destinations/${shop.crm.id}${tab}`),
    '/schemas',
    ...['', '?tab=versions', '?tab=samples'].map((tab) => `/schemas/${shop.model}${tab}`),
    ...['', '?tab=new', '?tab=audit'].map((tab) => `/privacy${tab}`),
    `/privacy/${shop.regulation}`,
    ...['tokens', 'credentials', 'notifications', 'sessions', 'health'].map((tab) => `/settings?tab=${tab}`),
  ];

  /** The offers of each page, which those with the right see, and nobody else. */
  const offers = (): { address: string; right: Right; names: string[] }[] => [
    { address: '/', right: ['inventory', 'write'], names: ['Connect Till in the store to …'] },
    { address: '/code', right: ['transformations', 'write'], names: ['New code', 'New library'] },
    { address: `/code/${shop.code}`, right: ['transformations', 'write'], names: ['More', 'Test'] },
    { address: '/sources', right: ['inventory', 'write'], names: ['New source'] },
    {
      address: `/sources/${shop.source.id}`,
      right: ['inventory', 'write'],
      names: ['Accept events', 'More', 'Send an example event', 'Show the write key', 'Remove the connection: CRM'],
    },
    { address: '/destinations', right: ['inventory', 'write'], names: ['New destination'] },
    {
      address: `/destinations/${shop.crm.id}`,
      right: ['inventory', 'write'],
      names: ['Deliver events', 'More', 'Connect a source', 'Remove the connection: Web shop'],
    },
    { address: `/destinations/${shop.crm.id}?tab=failures`, right: ['deliveries', 'write'], names: ['Send again'] },
    { address: `/destinations/${shop.crm.id}?tab=test`, right: ['test', 'test'], names: ['Run stages'] },
    { address: `/destinations/${shop.crm.id}?tab=test`, right: ['test', 'write'], names: ['Also send it'] },
    { address: `/destinations/${shop.crm.id}?tab=settings`, right: ['inventory', 'write'], names: ['Save'] },
    { address: `/schemas/${shop.model}?tab=samples`, right: ['schemas', 'samples'], names: ['Copy'] },
    { address: '/privacy', right: ['regulations', 'write'], names: ['Suppress or delete'] },
    { address: '/privacy', right: ['regulations', 'audit'], names: ['Audit'] },
    { address: '/privacy?tab=audit', right: ['regulations', 'audit'], names: ['Export'] },
    { address: `/privacy/${shop.regulation}`, right: ['regulations', 'write'], names: ['Cancel regulation'] },
    { address: '/settings?tab=tokens', right: ['inventory', 'tokens'], names: ['Access tokens', 'Create token'] },
    {
      address: '/settings?tab=credentials',
      right: ['transformations', 'write'],
      names: ['Code credentials', 'Delete CRM_KEY', 'Save'],
    },
    { address: '/settings?tab=notifications', right: ['deliveries', 'read'], names: ['Notifications'] },
    {
      address: '/settings?tab=notifications',
      right: ['deliveries', 'write'],
      names: ['Create channel', 'Test On call', 'On call is on', 'Delete On call'],
    },
    { address: '/settings?tab=sessions', right: ['console', 'session'], names: ['Sessions', 'Health'] },
  ];

  /** Follows what a page asks the API, and knows when it has all answers. */
  function watched(page: Page) {
    const open = new Set<object>();
    const refused: string[] = [];
    const broken: string[] = [];
    // the stream of live events never ends
    page.on('request', (request) => request.resourceType() !== 'eventsource' && open.add(request));
    page.on('requestfinished', (request) => open.delete(request));
    page.on('requestfailed', (request) => open.delete(request));
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(`${response.request().method()} ${new URL(response.url()).pathname}`);
    });
    page.on('pageerror', (error) => broken.push(error.message));
    const loading = page.locator('[role=status][aria-label$=": loading"]');
    const settled = () => until('all of the page', async () => open.size === 0 && (await loading.count()) === 0);
    return { refused, broken, settled };
  }

  const signedIn = async (role: (typeof ROLES)[number]): Promise<Page> => {
    const page = await browser.newPage();
    await page.goto(browser.url);
    await page.getByLabel('Access token').fill(await newToken(own.id, role));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    return page;
  };

  it.each(ROLES)('%s walks every screen, and finds nothing that it may not do', async (role) => {
    const page = await signedIn(role);
    const { refused, broken, settled } = watched(page);
    const { capabilities } = (await page.evaluate(`fetch('/console/session').then((it) => it.json())`)) as Session;
    const may = ([area, access]: Right) => capabilities[area]?.includes(access) ?? false;
    const seen: Record<string, string[]> = {};
    const wrong: string[] = [];
    for (const address of addresses()) {
      await page.goto(browser.url + address);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settled();
      const isClosed = (await page.getByText('Your role does not open this page').count()) > 0;
      if (isClosed === may(rightTo(address))) wrong.push(`${address} is ${isClosed ? 'closed' : 'open'}`);
      if ((await page.getByText(/needs a token/).count()) > 0) wrong.push(`${address} shows a refusal`);
      seen[address] = isClosed ? [] : ((await page.evaluate(CONTROLS)) as string[]);
    }
    for (const { address, right, names } of offers())
      for (const name of names)
        if (seen[address]?.includes(name) !== may(right)) wrong.push(`${name} at ${address}, ${right.join(' ')}`);
    expect({ wrong, refused, broken }).toEqual({ wrong: [], refused: [], broken: [] });

    const places = page.getByRole('navigation', { name: 'Places' }).getByRole('link');
    expect(await places.allInnerTexts()).toEqual(PLACES[role]);
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('dialog').waitFor();
    const options = await page.getByRole('option').allInnerTexts();
    for (const [name, right] of ACTIONS) expect([name, options.includes(name)]).toEqual([name, may(right)]);
    await page.context().close();
  });
});
