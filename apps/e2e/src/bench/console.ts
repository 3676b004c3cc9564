import { performance } from 'node:perf_hooks';
import { type LocalStack, launchStack, removeStack } from '@weir/local';
import { api } from '@weir/testing';
import { type Browser, chromium, type Page } from 'playwright-core';
import { percentile } from './load.js';
import { figure } from './report.js';

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const ROUNDS = 15;
const ROWS = 100_000;
/** Frames of one way through a list: five seconds at sixty a second. */
const FRAMES = 300;
/** A longer frame is a stutter that people see. */
const STUTTER_MS = 50;
/** Until a list of this length has been read and drawn once. */
const PATIENCE_MS = 60_000;

/** `npm run bench -- console`: how soon the first page can be used, and how smoothly long lists scroll. Needs Chromium. */
export async function consolePage(): Promise<void> {
  const stack = await launchStack();
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    await firstPage(stack, browser);
    const page = await signedIn(stack, browser);
    await longList(page, `${stack.url}/console/sources`, '**/v2/sources*', sources);
    await longList(page, `${stack.url}/console/schemas`, '**/schemas/event-models', models);
  } finally {
    await browser.close();
    await removeStack(stack);
  }
}

async function signedIn(stack: LocalStack, browser: Browser): Promise<Page> {
  const { body } = await api(stack.address).post('/console/links', {});
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(stack.url + body.path);
  await isUsable(page);
  return page;
}

/** The overview says what needs a person, and its buttons can be pressed. */
const isUsable = (page: Page) => page.getByRole('heading', { name: 'Needs attention' }).waitFor();

async function firstPage(stack: LocalStack, browser: Browser): Promise<void> {
  await (await signedIn(stack, browser)).context().close(); // the first start of a browser is slower than any later one
  const [empty, filled]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const page = await signedIn(stack, browser);
    const storageState = await page.context().storageState();
    await page.context().close();
    const context = await browser.newContext({ storageState });
    const fresh = await context.newPage();
    for (const times of [empty, filled]) {
      const startedAt = performance.now();
      await fresh.goto(`${stack.url}/console/`);
      await isUsable(fresh);
      times.push(performance.now() - startedAt);
    }
    await context.close();
  }
  told('first page, empty cache', empty);
  told('first page, filled cache', filled);
}

function told(name: string, values: number[]): void {
  const sorted = values.toSorted((a, b) => a - b);
  for (const share of [0.5, 0.95]) figure(`${name}: p${share * 100}`, percentile(sorted, share), 'ms');
  figure(`${name}: worst`, sorted.at(-1) ?? 0, 'ms');
}

const ids = Array.from({ length: ROWS }, (_, at) => at);
const NOW = new Date().toISOString();

const sources = {
  sources: ids.map((at) => ({
    ...{ id: `source-${at}`, name: `Row ${at}`, type: 'HTTP', writeKey: `key-${at}`, enabled: true, config: {} },
    ...{ createdAt: NOW, updatedAt: NOW },
  })),
  paging: {},
};
const models = ids.map((at) => ({
  ...{ ID: at, EventID: `model-${at}`, WriteKey: 'key', EventType: 'track', EventIdentifier: `Row ${at}` },
  ...{ CreatedAt: NOW, LastSeen: NOW, Schema: {}, TotalCount: ROWS - at },
}));

/** Scrolls from the first row to the last, a frame at a time. */
async function longList(page: Page, address: string, pattern: string, json: unknown): Promise<void> {
  const name = `${ROWS.toLocaleString('en')} rows of ${address.split('/').at(-1)}`;
  await page.route(pattern, (route) => route.fulfill({ json }));
  const startedAt = performance.now();
  await page.goto(address);
  await page.getByRole('link', { name: 'Row 0', exact: true }).waitFor();
  figure(`${name}: drawn`, performance.now() - startedAt, 'ms');
  const frames = (await page.evaluate(SCROLL(FRAMES))) as number[];
  await page.getByRole('link', { name: `Row ${ROWS - 1}`, exact: true }).waitFor();
  told(`${name}: frame`, frames);
  figure(`${name}: frames over ${STUTTER_MS} ms`, frames.filter((ms) => ms > STUTTER_MS).length, `of ${FRAMES}`);
  await page.unroute(pattern);
}

/** Runs in the page. Answers the milliseconds between frames. */
const SCROLL = (frames: number) => `new Promise((done) => {
  const list = document.querySelector('section[aria-label$=": table"]');
  const waits = [];
  let last = performance.now();
  const step = (now) => {
    waits.push(now - last);
    last = now;
    list.scrollTop = (list.scrollHeight * waits.length) / ${frames};
    if (waits.length < ${frames}) requestAnimationFrame(step);
    else done(waits);
  };
  requestAnimationFrame(step);
})`;
