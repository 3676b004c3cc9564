import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StackAddress } from '@weir/local';
import { type Answer, type Api, api, basic, type Caller } from '@weir/testing';
import type { As, Attack, Shot } from './attack.js';
import { PROGRAM_CODE } from './programs.js';

/** Result of one request. The status is 0 without an answer. */
export interface Hit {
  shot: Pick<Shot, 'method' | 'path'>;
  status: number;
  text: string;
}

/** An attack that takes longer continues without being waited for. */
const ATTACK_MS = 15_000;
const AT_ONCE = 25;

const PATTERN = { eventName: '(a|aa)+$', eventRegex: true };

/** A workspace with tokens, a source, code and destinations of several kinds, from which attacks come. */
export class Attacker {
  private constructor(
    private readonly stack: StackAddress,
    private readonly callers: Record<'writer' | 'reader' | 'source' | 'operator' | 'nobody', Caller>,
    private readonly ids: Record<string, string>,
  ) {}

  /** @param sink Receives the attacker's own live events and answers at once */
  static async enter(stack: StackAddress, sink: string): Promise<Attacker> {
    const operator = api(stack, 'admin');
    const { workspace } = made(await operator.post('/admin/workspaces', { name: 'attacker' }), 201);
    await operator.patch(`/admin/workspaces/${workspace.id}`, { allowFetch: true });
    const token = async (role: string) => {
      const body = { workspaceId: workspace.id, email: 'mallory@example.com', name: role, role };
      return { token: made(await operator.post('/admin/access-tokens', body), 201).accessToken.token as string };
    };
    const [writer, reader] = [await token('read-write'), await token('read-only')];
    const client = api(stack, writer);
    const { source } = made(await client.post('/v2/sources', { name: 'attacker', type: 'HTTP', enabled: true }));
    const ids: Record<string, string> = { writeKey: source.writeKey };
    for (const [kind, config] of Object.entries(configsOf(sink))) {
      ids[kind] = await destination(
        client,
        kind,
        config,
        kind === 'webhook' || kind === 'slack' ? source.id : undefined,
      );
    }
    const body = { name: 'attacks', code: PROGRAM_CODE, destinationIds: [ids['webhook']] };
    made(await client.post('/transformations?publish=true', body));
    const callers = {
      writer,
      reader,
      source: { writeKey: source.writeKey },
      operator: 'admin',
      nobody: 'nobody',
    } as const;
    return new Attacker(stack, callers, ids);
  }

  /** Sends all requests of an attack, several at a time. If they take too long, returns the results so far. */
  async attack({ shots }: Attack): Promise<Hit[]> {
    const hits: Hit[] = [];
    const waiting = shots();
    const line = async () => {
      for (let shot = waiting.shift(); shot; shot = waiting.shift()) hits.push(await this.fire(shot));
    };
    await Promise.race([
      Promise.all(Array.from({ length: AT_ONCE }, line)),
      sleep(ATTACK_MS, undefined, { ref: false }),
    ]);
    return hits;
  }

  private async fire(shot: Shot): Promise<Hit> {
    const path = shot.path.replaceAll(/:(\w+)/g, (whole, name: string) => this.ids[name] ?? whole);
    const told = { method: shot.method, path: path.slice(0, 80) };
    try {
      const { status, text } = await (shot.slowly ? this.trickle(shot, path) : this.send(shot, path));
      return { shot: told, status, text: text.slice(0, 300) };
    } catch (error) {
      return { shot: told, status: 0, text: String((error as Error).cause ?? error) };
    }
  }

  private send({ as, method, body, headers }: Shot, path: string): Promise<Answer> {
    const client = api(this.stack, this.callerOf(as));
    const options = headers ? { headers } : {};
    if (method === 'GET') return client.get(path, options);
    return method === 'POST' ? client.post(path, body, options) : client.put(path, body, options);
  }

  /** Announces the whole body, and sends a piece of it from time to time. */
  private trickle({ body, slowly }: Shot, path: string): Promise<Pick<Answer, 'status' | 'text'>> {
    const { pieces, gapMs } = slowly ?? { pieces: 1, gapMs: 0 };
    const text = String(body);
    return new Promise((done, fail) => {
      const sending = request(
        `${this.stack.urls[0]}${path}`,
        {
          method: 'POST',
          headers: { authorization: basic(this.ids['writeKey'] ?? '', ''), 'content-length': Buffer.byteLength(text) },
        },
        (response) => response.resume().on('end', () => done({ status: response.statusCode ?? 0, text: '' })),
      );
      sending.on('error', fail);
      void (async () => {
        for (let piece = 0; piece < pieces && !sending.destroyed; piece += 1) {
          sending.write(text.slice(piece * 1_000, (piece + 1) * 1_000));
          await sleep(gapMs);
        }
        sending.destroy(new Error('given up'));
      })();
    });
  }

  private callerOf(as: As): Caller {
    return typeof as === 'string' ? this.callers[as] : as;
  }
}

const configsOf = (sink: string): Record<string, object> => ({
  webhook: { webhookUrl: `${sink}/attacker` },
  slack: {
    ...{ webhookUrl: `${sink}/attacker`, identifyTemplate: '{{name}} {{traits}} {{{{ {{name' },
    ...{
      eventChannelSettings: [PATTERN],
      eventTemplateSettings: [{ ...PATTERN, eventTemplate: '{{event}} {{properties.text}}' }],
    },
  },
  discord: { webhookUrl: `${sink}/attacker`, eventTemplateSettings: [{ ...PATTERN, eventTemplate: '{{event}}' }] },
  customerio: { apiKey: 'k', siteID: 's' },
  hubspot: { authorizationType: 'newPrivateAppApi', accessToken: 't', apiVersion: 'newApi', lookupField: 'email' },
});

async function destination(client: Api, kind: string, config: object, sourceId?: string): Promise<string> {
  const body = {
    name: `attacker ${kind}`,
    type: kind === 'hubspot' ? 'HS' : kind.toUpperCase(),
    enabled: true,
    config,
  };
  const { id } = made(await client.post('/v2/destinations', body)).destination;
  if (sourceId) made(await client.post('/v2/connections', { sourceId, destinationId: id, enabled: true }));
  return id;
}

function made({ status, body, text }: Answer, wanted = 200) {
  if (status !== wanted) throw new Error(`expected ${wanted}, got ${status}: ${text}`);
  return body;
}
