import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedStack } from '@weir/local';
import { freePort, uniqueName, until } from '@weir/testing';
import { newSource, type Source, sendEvent } from './support/inventory.js';
import { modelsOf } from './support/schemas.js';
import { Terminal } from './support/terminal.js';
import { made, newWorkspace, type Workspace } from './support/workspace.js';

const README = resolve(import.meta.dirname, '../../../README.md');
/** A probe may fail on its way, so the next one does not wait for it any longer. */
const PROBE_MS = 2_000;

interface Received {
  event: string;
  messageId: string;
  properties?: { price?: unknown; coupon?: string };
  context: { traits: { email: string } };
  seenBy?: string;
}

/** The shell blocks of the tour, exactly as in the README, by the number of their step. A step may have several. */
function tourBlocks(): Map<number, string[]> {
  const [, tour = ''] = readFileSync(README, 'utf8').split('## A tour in five minutes');
  const [section = ''] = tour.split('\n## ');
  const steps = section.split(/^\*\*(?=\d+\. )/m).slice(1);
  return new Map(
    steps.map((step) => [
      Number.parseInt(step, 10),
      [...step.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, b]) => b ?? ''),
    ]),
  );
}

/** The line of JSON that a block printed, among those of what runs in the background. */
const jsonIn = (printed: string) => JSON.parse(/^[[{].*$/m.exec(printed)?.[0] ?? '');

describe('the tour of the README', () => {
  let own: Workspace;
  beforeAll(async () => {
    own = await newWorkspace();
  });

  it('is sourced from the variables that the launcher wrote', () => {
    const { accessToken, admin, urls } = sharedStack();
    const file = readFileSync(join(sharedStack().dataDir, 'env'), 'utf8');
    for (const value of [accessToken, admin.password, urls[0] as string]) expect(file).toContain(value);
  });

  it('loads a version of the SDK that the tests of the SDK know', () => {
    const [, version = '', path = ''] = /analytics-js@([\d.]+)\/(\S+\.mjs)/.exec(readFileSync(README, 'utf8')) ?? [];
    const [root] = createRequire(import.meta.url)
      .resolve('@rudderstack/analytics-js')
      .split('/dist/');
    expect(JSON.parse(readFileSync(`${root}/package.json`, 'utf8')).version).toBe(version);
    expect(existsSync(`${root}/${path}`)).toBe(true);
  });

  describe.each(['for the first time', 'again, in the same workspace'])('taken %s', () => {
    let folder: string;
    let terminal: Terminal;
    let textOf: (step: number, block?: number) => string;
    let destinationId: string;
    let sourceId: string;
    let probes: Source;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'weir-tour-'));
      // The launcher's own file, but with the token of a workspace that no other test uses.
      const launchers = readFileSync(join(sharedStack().dataDir, 'env'), 'utf8');
      writeFileSync(join(folder, 'env'), `${launchers}export TOKEN='${own.tokens.admin}'\n`);
      terminal = new Terminal(folder);
      const [blocks, port] = [tourBlocks(), await freePort()];
      textOf = (step, block = 0) =>
        (blocks.get(step)?.[block] ?? '').replaceAll('.weir/', './').replaceAll('4000', `${port}`);
    });
    const paste = (step: number, block?: number) => terminal.paste(textOf(step, block));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    /** The output of the first step's server. */
    const received = (): Received[] =>
      [...terminal.output.matchAll(/^>>> \/hook (.*)$/gm)].map(([, json = '']) => JSON.parse(json));
    const untilBought = (what: string, isWanted: (event: Received) => boolean) =>
      until(what, () => received().find((event) => event.event === 'Bought' && isWanted(event)));

    /** Sends events from another source until one arrives as the published code makes it. */
    const untilLive = (properties: object, isWanted: (event: Received) => boolean) =>
      until('the code to be live', async () => {
        const messageId = uniqueName('probe');
        const context = { traits: { email: 'probe@example.com' } };
        await sendEvent(probes, 'track', { userId: 'probe', event: 'Probe', messageId, properties, context });
        const arrived = () => received().find((event) => event.messageId === messageId);
        const probe = await until('the probe', arrived, PROBE_MS).catch(() => undefined);
        return probe !== undefined && isWanted(probe);
      });

    it('1 and 2 connect a source with a destination', async () => {
      await paste(1);
      const { connection } = jsonIn(await paste(2));
      expect(connection).toMatchObject({ enabled: true });
      ({ sourceId, destinationId } = connection);
      probes = await newSource(own.writer);
      made(await own.writer.post('/v2/connections', { sourceId: probes.id, destinationId, enabled: true }));
    });

    it('3 writes a page that sends to the source', async () => {
      await paste(3);
      const page = readFileSync(join(folder, 'my-site.html'), 'utf8');
      const { source } = made(await own.reader.get(`/v2/sources/${sourceId}`));
      expect(page).toContain(`analytics.load('${source.writeKey}', '${sharedStack().urls[0]}'`);
    });

    it('4 shows the event live, and delivers it', async () => {
      // a busy machine may need more than the second in which people expect the view
      const [watch = '', send = ''] = textOf(4).split('sleep 1; ');
      await terminal.paste(watch);
      await until('the live view', () => terminal.output.includes(': live'));
      expect(await terminal.paste(send)).toContain('OK');
      expect(await untilBought('the event', () => true)).toMatchObject({ properties: { price: 12.5 } });
      await until('both in the live view', () =>
        ['accepted', 'delivery'].every((kind) => terminal.output.includes(`event: ${kind}`)),
      );
    });

    it('5 changes it with code', async () => {
      expect(jsonIn(await paste(5))).toMatchObject({ destinations: [destinationId] });
      await untilLive({}, ({ seenBy }) => seenBy === 'weir');
      await paste(5, 1);
      const changed = await untilBought('the changed event', ({ seenBy }) => seenBy === 'weir');
      expect(changed.context.traits.email).toBe('***');
    });

    it('6 and 7 break it, and find what failed', async () => {
      await paste(6);
      await untilLive({ price: 2 }, ({ properties }) => properties?.price === '2.00');
      await paste(6, 1);
      const dead = () => own.reader.get(`/v2/deliveries?destinationId=${destinationId}&status=dead`);
      await until('the dead letter', async () => made(await dead()).data.length > 0);
      const { data } = jsonIn(await paste(7));
      expect(data).toMatchObject([
        { stage: 'user_transform', reason: expect.stringContaining('toFixed'), eventName: 'Bought' },
      ]);
      const life = await until('the life of the event', async () => {
        const told = jsonIn(await paste(7, 1));
        return told.destinations?.[0]?.status === 'dead' && told;
      });
      expect(life).toMatchObject({ messageId: data[0].messageId, status: 'routed', destinations: [{ destinationId }] });
    });

    it('8 mends it, and delivers what failed', async () => {
      await paste(8);
      await untilLive({}, ({ properties }) => properties?.price === '0.00');
      expect(jsonIn(await paste(8, 1))).toMatchObject({ dryRun: false, deliveries: 1 });
      const again = await untilBought('the replay', ({ properties }) => properties?.coupon === 'SPRING');
      expect(again.properties?.price).toBe('0.00');
    });

    it('9 and 10 forget the user, and count what came before', async () => {
      const printed = await paste(9);
      expect(printed).toContain('"canceled":false');
      expect(printed).toContain('OK');
      const { source } = made(await own.reader.get(`/v2/sources/${sourceId}`));
      await until('three counted events', async () => (await modelsOf(source))[0]?.TotalCount === 3);
      await untilLive({}, () => true); // comes after everything that was sent
      expect(jsonIn(await paste(10))).toMatchObject([{ EventType: 'track', EventIdentifier: 'Bought', TotalCount: 3 }]);
      expect(received().filter(({ properties }) => properties?.price === '99.00')).toEqual([]);
      expect(await terminal.close()).toBe(0);
      expect(terminal.output).not.toMatch(/not found|refused/i);
    });
  });
});
