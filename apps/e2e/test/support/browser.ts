import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { PATIENCE_MS } from '@weir/testing';
import { type Browser, chromium, type Page } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** Undefined if there is none. `CHROMIUM_PATH` names one in another place. */
export const chromiumPath = [process.env['CHROMIUM_PATH'] ?? '', ...PLACES].find((path) => existsSync(path));
/** `describe` for tests that need it. Without a browser they are skipped. */
export const withBrowser = chromiumPath ? describe : describe.skip;

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

/** An SDK as its package ships it: how a page exposes it as `window.Sdk`, and the folder of its scripts. */
export interface PackagedSdk {
  page: string;
  folder: string;
}

const { resolve } = createRequire(import.meta.url);

/** The build with bundled plugins. The other one fetches them from its vendor. */
export const RUDDER_SDK: PackagedSdk = {
  folder: join(dirname(resolve('@rudderstack/analytics-js/bundled')), '../esm'),
  page: `<!doctype html><title>Shop</title><script type="module">
    import { RudderAnalytics } from '/index.mjs';
    window.Sdk = RudderAnalytics;
  </script>`,
};

/** The build for a script tag, which fetches its rarer parts from beside itself. */
export const SEGMENT_SDK: PackagedSdk = {
  folder: join(dirname(resolve('@segment/analytics-next/package.json')), 'dist/umd'),
  page: `<!doctype html><title>Shop</title><script src="/index.js"></script><script>
    window.Sdk = AnalyticsNext.AnalyticsBrowser;
  </script>`,
};

/** A browser, and a site with its own origin whose page exposes the SDK as `window.Sdk`. Use it inside tests and hooks. */
export function useBrowser(sdk: PackagedSdk = RUDDER_SDK) {
  let browser: Browser | undefined;
  let origin = '';
  const scripts = new Set(readdirSync(sdk.folder));
  const site = createServer((request, response) => {
    const name = String(request.url).slice(1);
    const isScript = scripts.has(name);
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? readFileSync(join(sdk.folder, name)) : sdk.page);
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

/** Holds requests like this back until `release`, as a slow server would. */
export async function held(page: Page, pattern: string): Promise<{ release: () => void }> {
  const gate = Promise.withResolvers<void>();
  await page.route(pattern, async (route) => {
    await gate.promise;
    await route.continue();
  });
  return { release: gate.resolve };
}
