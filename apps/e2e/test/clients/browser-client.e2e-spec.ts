import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sharedStack } from '@weir/local';
import { PATIENCE_MS, until } from '@weir/testing';
import { build } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumPath, FLAGS, withBrowser } from '../support/browser.js';
import { newSource, type Source, sendEvent } from '../support/inventory.js';
import { newWorkspace, type Workspace } from '../support/workspace.js';

const CLIENT = createRequire(import.meta.url).resolve('../../../../packages/client/dist/index.js');
withBrowser('@weir/client as a bundle in a browser (needs Chromium, or CHROMIUM_PATH)', () => {
  let browser: Browser;
  let page: Page;
  let own: Workspace;
  let source: Source;
  beforeAll(async () => {
    own = await newWorkspace();
    source = await newSource(own.writer, { name: 'shop' });
    browser = await chromium.launch({ executablePath: String(chromiumPath), args: FLAGS, timeout: PATIENCE_MS });
    page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const url = sharedStack().urls[0] ?? '';
    await page.goto(`${url}/version`);
    await page.evaluate(await bundled());
    await page.evaluate(`window.weir = Weir.createClient(${JSON.stringify({ url, token: own.tokens.admin })})`);
  });
  afterAll(() => browser?.close());

  it('reads, follows pages, and answers errors as values', async () => {
    const found = await page.evaluate(`(async () => {
      const { workspace } = await Weir.unwrap(weir.GET('/v2/workspace'));
      const names = [];
      for await (const { name } of weir.paginate('/v2/sources')) names.push(name);
      const { error } = await weir.GET('/v2/events/{messageId}', { params: { path: { messageId: 'nobody' } } });
      return { id: workspace.id, names, isTyped: error instanceof Weir.WeirError, status: error.status };
    })()`);
    expect(found).toEqual({ id: own.id, names: ['shop'], isTyped: true, status: 404 });
  });

  it('watches live events', async () => {
    await page.evaluate(`(async () => {
      const onOpen = () => { window.isOpen = true; };
      for await (const live of weir.liveEvents({ type: 'track', onOpen })) {
        if (live.event !== 'accepted') continue;
        window.seen = live.data.name;
        break;
      }
    })(); undefined`);
    await page.waitForFunction('window.isOpen');
    await sendEvent(source, 'track', { event: 'Bought', userId: 'ada' });
    await until('the event in the browser', async () => (await page.evaluate('window.seen')) === 'Bought');
  });
});

/** Bundles the published files as a web application would. Fails on anything of Node.js. */
async function bundled(): Promise<string> {
  const options = { bundle: true, write: false, platform: 'browser', format: 'iife', globalName: 'Weir' } as const;
  const { outputFiles, warnings } = await build({ entryPoints: [CLIENT], ...options, target: 'es2022' });
  expect(warnings).toEqual([]);
  // A variable of the bundle ends with the script, and a property of the window does not.
  return `${outputFiles[0]?.text ?? ''}\nwindow.Weir = Weir;`;
}
