import { sharedStack } from '@weir/local';
import { type Api, api, uniqueName } from '@weir/testing';
import { made } from './workspace.js';

export interface Source {
  id: string;
  writeKey: string;
  name: string;
}
export interface Destination {
  id: string;
  name: string;
}

export async function newSource(client: Api, fields: object = {}): Promise<Source> {
  const body = { name: uniqueName('source'), type: 'HTTP', ...fields };
  return made(await client.post('/v2/sources', body)).source;
}

/** Creates a webhook destination. `fields.config` is merged with its address. */
export async function newWebhook(client: Api, webhookUrl: string, fields: Record<string, unknown> = {}) {
  const config = { webhookUrl, ...(fields['config'] as object) };
  const body = { name: uniqueName('hook'), type: 'WEBHOOK', ...fields, config };
  return made(await client.post('/v2/destinations', body)).destination as Destination;
}

export async function connect(client: Api, source: Source, destination: Destination, fields: object = {}) {
  const body = { sourceId: source.id, destinationId: destination.id, ...fields };
  return made(await client.post('/v2/connections', body)).connection as { id: string };
}

/** Creates a source whose events go to a webhook at this address. */
export async function newSourceTo(client: Api, webhookUrl: string, fields: object = {}): Promise<Source> {
  const source = await newSource(client, fields);
  await connect(client, source, await newWebhook(client, webhookUrl));
  return source;
}

/** Enables or disables the object at a path. */
export async function enable(client: Api, path: string, enabled: boolean): Promise<void> {
  made(await client.put(path, { enabled }));
}

/** The intake as an SDK of this source sees it. */
export const intakeOf = (source: Pick<Source, 'writeKey'>): Api => api(sharedStack(), { writeKey: source.writeKey });

/** Sends one event to `/v1/<type>` and expects the intake to accept it. */
export async function sendEvent(source: Source, type: string, event: object): Promise<void> {
  const answer = await intakeOf(source).post(`/v1/${type}`, event);
  if (answer.status !== 200) throw new Error(`intake answered ${answer.status}: ${answer.text}`);
}
