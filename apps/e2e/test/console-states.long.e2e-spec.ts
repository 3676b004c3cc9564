import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, it } from '@jest/globals';
import { sharedStack } from '@weir/local';
import { uniqueName, until } from '@weir/testing';
import type { Locator, Page } from 'playwright-core';
import { held, withBrowser } from './support/browser.js';
import { newTransformation } from './support/code.js';
import { useConsole } from './support/console.js';
import { useHook } from './support/hook.js';
import { connect, intakeOf, newSource, newWebhook, sendEvent } from './support/inventory.js';
import { openShop, type Shop } from './support/shop.js';
import { made, newWorkspace, type Workspace } from './support/workspace.js';

/** Passes the tests of a publish, and fails for what comes later. */
const BREAKS =
  "export const transformEvent = (event) => { if (event.event === 'Bought') throw new Error('boom'); return event; };";

/** The address of a page says what it shows. A user who opens it later or elsewhere sees the same. */
withBrowser('addresses of the console (need Chromium, or CHROMIUM_PATH)', () => {
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

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const region = (name: string) => page.getByRole('region', { name });
  const nameOf = (list: string) => region(list).getByRole('row').nth(1).getByRole('cell').first();

  interface State {
    path: (shop: Shop) => string;
    /** Does what a person would do on the page. */
    act: () => Promise<unknown>;
    /** Finds what must be there afterwards, and after a reload. */
    shows: () => Locator;
    address: RegExp;
  }
  const STATES: Record<string, State> = {
    'the range of the overview': {
      path: () => '/',
      act: () => page.getByLabel('Time range').selectOption('Last 7 days'),
      shows: () => page.locator('select[aria-label="Time range"]').filter({ hasText: 'Last 7 days' }),
      address: /hours=168/,
    },
    'the order of a list': {
      path: () => '/destinations',
      act: () => page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click(),
      shows: () => nameOf('Destinations: table').getByText('Ad audiences'),
      address: /sort=Name/,
    },
    'the order of a second list': {
      path: () => '/code',
      act: () => region('Libraries: table').getByRole('button', { name: 'Name' }).click(),
      shows: () => region('Libraries: table').locator('th[aria-sort="ascending"]'),
      address: /librarySort=Name/,
    },
    'a revision of code': {
      path: ({ code }) => `/code/${code}?tab=history`,
      act: () => page.locator('ol button').first().click(),
      shows: () => page.locator('ol button[aria-pressed="true"]'),
      address: /version=/,
    },
    'a library beside code': {
      path: ({ crmCode }) => `/code/${crmCode}`,
      act: () => button('money').click(),
      shows: () => page.getByRole('textbox', { name: 'JavaScript of money' }),
      address: /library=/,
    },
    'the dialog that saves a test': {
      path: ({ code }) => `/code/${code}`,
      act: async () => {
        await button('Test').click();
        await page.getByText('track · Order completed').first().click();
        await button('Save as a test').locator('visible=true').first().click();
      },
      shows: () => page.getByRole('dialog', { name: 'Save as a test' }),
      address: /dialog=test&event=/,
    },
    'the dialog that publishes a draft': {
      path: ({ draft }) => `/code/${draft}`,
      act: () => button('Publish …').click(),
      shows: () => page.getByRole('dialog', { name: 'Publish this code' }),
      address: /dialog=publish/,
    },
    'the snippet of a source': {
      path: ({ source }) => `/sources/${source.id}`,
      act: () => page.getByRole('tab').nth(1).click(),
      shows: () => page.getByRole('tab', { selected: true }).nth(0),
      address: /snippet=/,
    },
    'a kind of event by one of its keys': {
      path: ({ model }) => `/schemas/${model}`,
      act: () => page.getByLabel('Find a key').fill('cents'),
      shows: () => page.getByText('properties.cents'),
      address: /find=cents/,
    },
    'what a version of a schema changed': {
      path: ({ model }) => `/schemas/${model}?tab=versions`,
      act: () => page.locator('ol button').first().click(),
      shows: () => page.getByText('compared with the previous version'),
      address: /version=/,
    },
    'a user among the regulations': {
      path: () => '/privacy',
      act: async () => {
        await page.getByLabel('Find a user').fill('former-customer');
        await page.keyboard.press('Enter');
      },
      shows: () => page.getByRole('link', { name: 'former-customer' }),
      address: /find=former-customer/,
    },
  };

  it.each(Object.entries(STATES))('%s', async (_, { path, act, shows, address }) => {
    await page.goto(browser.url + path(shop));
    await act();
    await shows().waitFor();
    await page.waitForURL(address);
    await page.reload();
    await shows().waitFor();
  });

  it('what an address names that does not exist shows the usual page', async () => {
    await page.goto(`${browser.url}/code/${shop.code}?tab=history&version=none&dialog=evil&event=x`);
    await page.getByText('Revisions').waitFor();
    await page.goto(`${browser.url}/destinations?sort=-Nothing`);
    await page.getByRole('link', { name: 'Warehouse' }).waitFor();
  });
});

withBrowser('what lists say (needs Chromium, or CHROMIUM_PATH)', () => {
  const hook = useHook();
  const browser = useConsole();
  let own: Workspace;
  let page: Page;

  beforeAll(async () => {
    own = await newWorkspace();
    page = await browser.signedIn(own);
  });

  const go = async (path: string, title: string) => {
    await page.goto(`${browser.url}${path}`);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
  };

  it('code has its version and the errors of its own, whatever its destinations answer', async () => {
    hook.answer({ status: 422, body: { problem: 'no' } });
    const source = await newSource(own.writer);
    const [failing, refused] = [uniqueName('fails'), uniqueName('passes')];
    for (const [name, code] of [
      [failing, BREAKS],
      [refused, 'export const transformEvent = (event) => event;'],
    ] as const) {
      const to = await newWebhook(own.writer, `${hook.url}/${name}`, { name });
      await connect(own.writer, source, to);
      await newTransformation(own.writer, code, { name, destinationIds: [to.id] });
    }
    await sendEvent(source, 'track', { userId: 'ada', event: 'Bought' });
    await until('both events to be dead', async () => {
      const { data } = made(await own.admin.get('/v2/deliveries/counters'));
      return data.length === 2 && data.every(({ dead }: { dead: number }) => dead === 1);
    });
    await page.goto(`${browser.url}/code`);
    const row = (name: string) => page.getByRole('row', { name });
    await row(failing).getByText('100%').waitFor();
    await row(refused).getByText('0%', { exact: true }).waitFor();
    const { transformations } = made(await own.admin.get('/transformations'));
    for (const { name, versionId } of transformations)
      expect(await row(name).locator('code').getAttribute('title')).toBe(versionId);
  });

  it('kinds of events have their volume by day as a line, and say what is new', async () => {
    await until('the day to be counted', async () => {
      await page.goto(`${browser.url}/schemas`);
      await page.getByRole('row', { name: 'Bought' }).waitFor();
      return (await page.getByRole('img', { name: '1 event in the last 30 days' }).count()) === 1;
    });
    const row = page.getByRole('row', { name: 'Bought' });
    await row.getByText('new this week').waitFor();
    await row.getByRole('link', { name: 'Bought' }).click();
    await page.getByRole('img', { name: 'Day by day: 1 event in the last 30 days.' }).waitFor();
  });

  it('an event that was seen live becomes the event of a test', async () => {
    const { sources } = made(await own.admin.get('/v2/sources'));
    await page.goto(`${browser.url}/live`);
    await page.getByText('listening').waitFor();
    await sendEvent(sources[0], 'track', { userId: 'ada', event: 'Seen live', messageId: uniqueName('seen') });
    // deliveries name no user: the event that came in does
    await page.getByLabel('Find in events').fill('"userid":"ada"');
    await page.getByRole('button', { name: /→/ }).first().waitFor();
    await page
      .getByRole('button', { name: /Seen live/ })
      .first()
      .click();
    const life = page.getByRole('dialog');
    await life
      .getByRole('region', { name: /^Way to/ })
      .first()
      .waitFor();
    await life.getByRole('button', { name: 'Use as test event' }).click();
    await page.getByRole('tab', { name: 'Test', selected: true }).waitFor();
    expect(await page.getByLabel('Event JSON').inputValue()).toContain('Seen live');
  });

  it('a text to find does not undo the navigation that follows at once', async () => {
    await page.route('**/sources.page*', async (route) => {
      await delay(1_000); // the page comes after the typing was at rest
      await route.continue();
    });
    await page.goto(`${browser.url}/live`);
    await page.getByText('listening').waitFor();
    await page.getByLabel('Find in events').fill('ada');
    await page.getByRole('link', { name: 'Sources', exact: true }).click();
    await page.getByRole('heading', { name: 'Sources', exact: true }).waitFor();
    expect(page.url()).toBe(`${browser.url}/sources`);
  });

  it('come while the link of their page has the focus, so that the page opens with them', async () => {
    await page.goto(`${browser.url}/`);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const models = page.waitForResponse('**/schemas/event-models');
    await page.getByRole('link', { name: 'Schemas' }).focus();
    await (await models).finished();
    const later = await held(page, '**/schemas/**');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: 'Bought' }).waitFor();
    later.release();
  });

  it('shows each of thousands, and the counts of more destinations than a page has', async () => {
    const total = 2_001;
    const paged = (own: object, number: number) => {
      const from = (number - 1) * 50;
      const length = Math.min(50, total - from);
      const rows = Array.from({ length }, (_, at) => ({ ...own, id: `s${from + at}`, name: `Row ${from + at}` }));
      return {
        sources: rows,
        paging: { total, ...(number * 50 < total && { next: `/v2/sources?page=${number + 1}` }) },
      };
    };
    const [source] = made(await own.reader.get('/v2/sources')).sources;
    const [good] = made(await own.reader.get('/v2/destinations')).destinations;
    await page.route('**/v2/sources?*', (route) =>
      route.fulfill({ json: paged(source, Number(new URL(route.request().url()).searchParams.get('page'))) }),
    );
    const counted = { accepted: 9, transformed: 9, filtered: 0, suppressed: 0, dropped: 0, droppedByCode: 0 };
    const zeros = { failedInCode: 0, delivered: 0, failed: 0, inRetry: 0 };
    await page.route('**/v2/deliveries/counters*', (route) => {
      const isFirst = !route.request().url().includes('after_cursor');
      const ids = isFirst ? Array.from({ length: 100 }, (_, at) => `gone-${at}`) : [good.id];
      const data = ids.map((destinationId) => ({ ...counted, ...zeros, destinationId, dead: isFirst ? 0 : 9 }));
      const next = `/v2/deliveries/counters?hours=24&after_cursor=${good.id}`;
      return route.fulfill({ json: { data, paging: isFirst ? { next } : {} } });
    });
    await go('/', 'Overview');
    await page.getByText('9 events could not be delivered').waitFor();
    await go('/sources', 'Sources');
    await page.getByText('2,001 sources').waitFor();
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox').fill('row 2000');
    await page.getByRole('option', { name: 'Row 2000', selected: true }).waitFor();
    await page.keyboard.press('Escape');
    // the page of one asks for that one, wherever it stands in the list
    await go(`/sources/${source.id}`, source.name);
    await page.unroute('**/v2/sources?*');
    await page.unroute('**/v2/deliveries/counters*');
  });

  it('sends all again that failed at a stage, also what it has not loaded, and says first how many they are', async () => {
    const bad = await newWebhook(own.writer, `${hook.url}/full`, { name: 'Full' });
    const from = await newSource(own.writer);
    await connect(own.writer, from, bad);
    hook.answer({ status: 422, body: { problem: 'full' } });
    const eventOf = (_: unknown, at: number) => ({
      type: 'track',
      userId: `u${at}`,
      event: 'Bought',
      messageId: `full-${at}`,
    });
    made(await intakeOf(from).post('/v1/batch', { batch: Array.from({ length: 51 }, eventOf) }));
    await go(`/destinations/${bad.id}?tab=failures`, 'Full');
    const all = page.getByRole('region', { name: 'All that failed for good' });
    await all.getByText('51 events').waitFor();
    // the address of a dead event shows what came in, as the list of live events does
    await go('/events/full-0', 'full-0');
    await page.getByRole('heading', { name: 'Received event', exact: true }).waitFor();
    for (const name of ['Use as test event', 'Copy as curl']) await page.getByRole('button', { name }).waitFor();
    await go(`/destinations/${bad.id}?tab=failures`, 'Full');
    hook.answer({ status: 200 });
    await all.getByRole('button', { name: 'Send all again that failed at the destination' }).click();
    const question = page.getByRole('dialog');
    await question.getByText(/51 events will be sent again/).waitFor();
    await question.getByRole('button', { name: 'Send all again' }).click();
    await page.getByText('51 events on the way again.').waitFor();
    await page.getByText('No failures').waitFor();
  });

  it('counts again what failed at a stage once those that it has loaded were sent again', async () => {
    const bad = await newWebhook(own.writer, `${hook.url}/fuller`, { name: 'Fuller' });
    const from = await newSource(own.writer);
    await connect(own.writer, from, bad);
    hook.answer({ status: 422, body: { problem: 'full' } });
    const eventOf = (_: unknown, at: number) => ({ type: 'track', userId: `u${at}`, event: 'Bought' });
    made(await intakeOf(from).post('/v1/batch', { batch: Array.from({ length: 110 }, eventOf) }));
    await until('all to fail', async () => {
      const plan = { destinationId: bad.id, stage: 'delivery', dryRun: true };
      return made(await own.writer.post('/v2/deliveries/replay', plan)).deliveries === 110;
    });
    await go(`/destinations/${bad.id}?tab=failures`, 'Fuller');
    const all = page.getByRole('region', { name: 'All that failed for good' });
    await all.getByText('110 events').waitFor();
    hook.answer({ status: 200 });
    await page.getByRole('button', { name: 'Send again', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
    await page.getByText('50 of 50 events sent again').waitFor();
    await all.getByText('60 events').waitFor();
  });

  it('broke no rule of its content security policy', () => {
    expect(browser.refusals).toEqual([]);
  });
});

withBrowser('the operator in the console (needs Chromium, or CHROMIUM_PATH)', () => {
  const browser = useConsole();

  it('makes a workspace and its first admin, who signs in beside the operator', async () => {
    const page = await browser.newPage();
    const { admin } = sharedStack();
    await page.goto(`${browser.url}/operator`);
    await page.getByLabel('User').fill(admin.user);
    await page.getByLabel('Password').fill('a wrong password');
    await page.getByRole('button', { name: 'Sign in as operator' }).click();
    await page.getByText(/user name or password is wrong/).waitFor();
    await page.getByLabel('Password').fill(admin.password);
    await page.getByRole('button', { name: 'Sign in as operator' }).click();

    const name = uniqueName('Team');
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Create workspace' }).click();
    const tokens = page.getByRole('dialog', { name: `Access tokens of ${name}` });
    await tokens.getByText('No tokens yet. Nobody can sign in.').waitFor();
    await tokens.getByLabel('Email address').fill('ada@example.com');
    await tokens.getByRole('button', { name: 'Create admin token' }).click();
    const token = String(await tokens.locator('code').textContent());
    await tokens.getByRole('button', { name: 'Close' }).click();

    await page.getByRole('switch', { name: `Allow fetch for ${name}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Allow fetch' }).click();
    await page.getByRole('switch', { name: `Allow fetch for ${name}`, checked: true }).waitFor();

    await page.goto(browser.url);
    await page.getByLabel('Access token').fill(token);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByText(name).first().waitFor();
    // both sessions live side by side, and each has its own way out
    await page.goto(`${browser.url}/operator`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Password').waitFor();
    await page.goto(browser.url);
    await page.getByText(name).first().waitFor();
    expect(browser.refusals).toEqual([]);
    await page.context().close();
  });
});
