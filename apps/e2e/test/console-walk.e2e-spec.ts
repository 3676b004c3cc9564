import { beforeAll, expect, it } from '@jest/globals';
import { sharedStack } from '@weir/local';
import { until } from '@weir/testing';
import type { Locator, Page } from 'playwright-core';
import { withBrowser } from './support/browser.js';
import { useConsole } from './support/console.js';
import { useHook } from './support/hook.js';
import { made, newWorkspace, type Workspace } from './support/workspace.js';

/** The most steps that a newcomer may need. A click or a text takes ten seconds to find and to do, so thirty are five minutes. */
const STEPS_MAX = 30;
const CODE =
  'export function transformEvent(event) { event.properties = { ...event.properties, checked: true }; return event; }';

withBrowser('the walk of a newcomer (needs Chromium, or CHROMIUM_PATH)', () => {
  const hook = useHook();
  const browser = useConsole();
  let own: Workspace;
  let page: Page;
  let steps = 0;

  beforeAll(async () => {
    own = await newWorkspace();
    page = await browser.newPage();
  });

  const click = async (place: Locator) => {
    steps += 1;
    await place.click();
  };
  const fill = async (place: Locator, text: string) => {
    steps += 1;
    await place.fill(text);
  };
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const link = (name: string | RegExp) => page.getByRole('link', { name });
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

  it('leads from the printed link to an own transformed event at a webhook, in few steps and without a terminal', async () => {
    const { path } = made(await own.admin.post('/console/links', {}), 201);
    steps += 1; // the click on the link
    await page.goto(sharedStack().urls[0] + path);

    await click(link('Create your first source'));
    await fill(page.getByLabel('Name'), 'Shop');
    await click(button('Create source'));
    await heading('Shop');
    await click(button('Send an example event'));
    await page.getByText('Events arrive.').waitFor();

    await click(link('Destinations'));
    await click(link('New destination').first());
    await fill(page.getByLabel('Find a kind'), 'webhook');
    await click(link(/Webhook/).first());
    await fill(page.getByLabel('Name'), 'Mine');
    await fill(page.getByLabel('Webhook URL'), `${hook.url}/mine`);
    await click(button('Create destination'));
    await heading('Mine');
    steps += 1;
    await page.getByLabel('Connect a source').selectOption({ label: 'Shop' });
    await click(button('Connect'));
    await button('Remove the connection: Shop').waitFor();

    await click(link('Write code'));
    await fill(page.getByLabel('Name', { exact: true }), 'Check');
    await click(page.getByRole('textbox', { name: 'JavaScript of this code' }));
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('Backspace');
    steps += 1;
    await page.keyboard.insertText(CODE);
    await click(button('Save and test'));
    await page.getByText('All tests passed').waitFor();
    await click(button('Publish …'));
    const dialog = page.getByRole('dialog');
    steps += 1;
    await dialog.getByLabel('Mine').check();
    await click(dialog.getByRole('button', { name: 'Publish now' }));
    await page.getByRole('button', { name: 'Live', exact: true }).waitFor();

    await click(link('Sources'));
    await click(link('Shop'));
    const mine = () =>
      hook.requests
        .filter(({ path: at }) => at === '/mine')
        .map(({ json }) => json as { event: string; properties: { checked?: boolean } });
    // A deliverer learns of new code within a second. A person who is faster sends once more, which counts.
    const arrived = await until('the own event, transformed', async () => {
      const before = mine().length;
      await click(button('Send an example event'));
      await click(dialog.getByRole('button', { name: 'Send' }));
      await until('the event', () => mine().length > before);
      return mine().find(({ properties }) => properties.checked);
    });
    expect(arrived.event).toBe('Bought');
    expect(steps).toBeLessThanOrEqual(STEPS_MAX);
    expect(browser.alerts).toEqual([]);
  });
});
