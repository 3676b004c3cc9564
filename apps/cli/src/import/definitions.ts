import { retrying, unwrap, type WeirClient } from '@weir/client';
import { CliError } from '../core/errors.js';
import { ExitCode } from '../core/exit-code.js';
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

type Send = (request: Request) => Promise<Response>;

/** Code of the incumbent's API, by revision. What it does not have is told as missing. What it puts off is asked again. */
export function codeOfApi(url: string, token: string, send: Send): CodeSource {
  const headers = { authorization: `Bearer ${token}` };
  const ask = retrying(send);
  const read = async (path: string): Promise<unknown> => {
    try {
      const answer = await ask(new Request(`${url.replace(/\/$/, '')}${path}`, { headers }));
      if (answer.status === 404) return undefined;
      if (answer.ok) return await answer.json();
      throw new CliError(`${url} answers ${answer.status} to ${path}`, undefined, exitCodeOf(answer.status));
    } catch (error) {
      if (error instanceof CliError) throw error;
      throw new CliError(`${url} gave no answer to ${path}: ${reasonOf(error)}`, undefined, ExitCode.unavailable);
    }
  };
  let libraries: Promise<unknown> | undefined;
  return {
    transformation: async (id, versionId) =>
      id === undefined
        ? undefined
        : codeOf(await read(`/transformations/${encodeURIComponent(id)}/versions/${encodeURIComponent(versionId)}`)),
    library: async (versionId) => {
      libraries ??= read('/libraries');
      const list = Reflect.get(Object(await libraries), 'libraries');
      return codeOf(
        Array.isArray(list) ? list.find((one) => Reflect.get(Object(one), 'versionId') === versionId) : undefined,
      );
    },
  };
}

function exitCodeOf(status: number): ExitCode {
  if (status === 401 || status === 403) return ExitCode.notAllowed;
  return status === 429 || status >= 500 ? ExitCode.unavailable : ExitCode.failed;
}

/** `fetch` hides in the cause why there was no answer. */
function reasonOf(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  return cause instanceof Error && cause.message ? cause.message : message;
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
