import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { PATIENCE_MS } from '@weir/testing';
import { type Browser, chromium, type Page } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** Undefined if there is none. `CHROMIUM_PATH` names one in another place. */
export const chromiumPath = [process.env['CHROMIUM_PATH'] ?? '', ...PLACES].find((path) => existsSync(path));

/** Keeps the browser's own traffic off the network, which test machines may lack. */
export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A browser, and a site with its own origin whose page exposes the SDK as `window.Sdk`. Use it inside tests and hooks. */
export function useBrowser() {
  let browser: Browser | undefined;
  let origin = '';
  const site = createServer((request, response) => {
    const isScript = request.url === '/sdk.mjs';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? sdkText() : PAGE);
  });
  beforeAll(async () => {
    await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
    origin = `http://localhost:${(site.address() as AddressInfo).port}`;
    browser = await chromium.launch({ executablePath: String(chromiumPath), args: FLAGS, timeout: PATIENCE_MS });
  });
  afterAll(async () => {
    await browser?.close();
    site.closeAllConnections();
    await new Promise((done) => site.close(done));
  });
  return {
    /** Opens a page as a new visitor. */
    newPage: async (): Promise<Page> => {
      if (!browser) throw new Error('the browser is there once beforeAll has run');
      const page = await (await browser.newContext()).newPage();
      page.setDefaultTimeout(PATIENCE_MS); // its own 30 s are too few for a busy machine
      await page.goto(origin);
      await page.waitForFunction('window.Sdk !== undefined');
      return page;
    },
  };
}

const PAGE = `<!doctype html><title>Shop</title><script type="module">
  import { RudderAnalytics } from '/sdk.mjs';
  window.Sdk = RudderAnalytics;
</script>`;

/** The build with bundled plugins. The other one fetches them from its vendor. */
function sdkText(): string {
  const main = createRequire(import.meta.url).resolve('@rudderstack/analytics-js/bundled');
  return readFileSync(join(dirname(main), '../esm/index.mjs'), 'utf8');
}
