import { unwrap, type WeirClient } from '@weir/client';
import { isObject } from '../project/json.js';
import type { Code, CodeSource, Definition } from './import.js';

/** The kinds of destinations that this Weir has. */
export async function definitionsOf(client: WeirClient): Promise<Map<string, Definition>> {
  const definitions = await unwrap(client.GET('/destination-definitions'));
  return new Map(
    definitions.map(({ name, config, configSchema }) => [
      name,
      { name, secretKeys: config.secretKeys, settings: settingsOf(Reflect.get(configSchema, 'properties')) },
    ]),
  );
}

function settingsOf(properties: unknown): Record<string, string[]> {
  if (!isObject(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => [key, [Reflect.get(Object(schema), 'type')].flat().map(String)]),
  );
}

/** No code: the workspace export alone has none. */
export const noCode: CodeSource = { transformation: async () => undefined, library: async () => undefined };

/** Code of the incumbent's API, by revision. What it does not have is told as missing. */
export function codeOfApi(url: string, token: string, send = fetch): CodeSource {
  const headers = { authorization: `Bearer ${token}` };
  const read = async (path: string): Promise<unknown> => {
    const answer = await send(`${url.replace(/\/$/, '')}${path}`, { headers });
    if (answer.status === 404) return undefined;
    if (!answer.ok) throw new Error(`${url} answers ${answer.status} to ${path}`);
    return answer.json();
  };
  return {
    transformation: async (id, versionId) =>
      id === undefined
        ? undefined
        : codeOf(await read(`/transformations/${encodeURIComponent(id)}/versions/${encodeURIComponent(versionId)}`)),
    library: async (versionId) => {
      const list = Reflect.get(Object(await read('/libraries')), 'libraries');
      return codeOf(
        Array.isArray(list) ? list.find((one) => Reflect.get(Object(one), 'versionId') === versionId) : undefined,
      );
    },
  };
}

function codeOf(answer: unknown): Code | undefined {
  if (!isObject(answer) || typeof answer['code'] !== 'string') return undefined;
  const text = (key: string, absent: string) => (typeof answer[key] === 'string' ? answer[key] : absent);
  return {
    name: text('name', 'unnamed'),
    description: text('description', ''),
    code: answer['code'],
    language: text('language', 'javascript'),
  };
}
