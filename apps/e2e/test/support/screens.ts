import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PATIENCE_MS } from '@weir/testing';
import type { Page } from 'playwright-core';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface Found {
  violations: { id: string; nodes: { html: string }[] }[];
}

/** Axe takes longer to describe all that passes than to check it. Style sheets and media need no look: no rule here asks for them. */
const LEAN = { resultTypes: ['violations'], selectors: false, preload: false };
/** The rules whose answer depends on a colour, of those that axe runs unasked. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** The findings of axe, in a form that a failed test shows well. A theme changes colours only, so a second one needs only their rules. */
export async function violationsOf(page: Page, rules: 'all' | 'of colours' = 'all'): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(readFileSync(AXE, 'utf8'));
  const options = JSON.stringify(rules === 'all' ? LEAN : { ...LEAN, runOnly: OF_COLOURS });
  const found = (await page.evaluate(`axe.run(${options})`)) as Found;
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

/** `WEIR_CONSOLE_PICTURES=docs/console` writes the pictures of the documentation. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['WEIR_CONSOLE_PICTURES'];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png`, timeout: PATIENCE_MS });
}
