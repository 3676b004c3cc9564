import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unwrap, type WeirClient } from '@weir/client';
import { CliError } from '../core/errors.js';
import { confined } from '../core/inside.js';
import type { Io } from '../core/io.js';
import { isObject, type JsonObject } from '../project/json.js';
import { basicOf } from '../project/read-workspace.js';

/** Kept in the folder of a project, and out of git: the events are those of real users. */
const FOLDER = '.weir';
const SAMPLES = 'samples.json';
const OWNER_ONLY = 0o600;
/** Models whose events are fetched, the most frequent ones first. */
const MODELS_MAX = 40;

export interface Samples {
  workspaceId: string;
  events: JsonObject[];
}

/** Undefined if none were fetched yet. */
export function readSamples(project: string, io: Pick<Io, 'filesIn'>): Samples | undefined {
  const file = confined(join(project, FOLDER, SAMPLES), io);
  if (!existsSync(file)) return undefined;
  try {
    const { workspaceId, events } = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof workspaceId === 'string' && Array.isArray(events) && events.every(isObject))
      return { workspaceId, events };
  } catch {
    // told below
  }
  throw new CliError(`${file} is damaged`, 'Remove it, or fetch it again with --refresh.');
}

/** Keeps samples in the folder. */
export function keepSamples(project: string, samples: Samples, io: Pick<Io, 'filesIn'>): void {
  const pathOf = (name: string) => confined(join(project, FOLDER, name), io);
  const [ignored, file] = [pathOf('.gitignore'), pathOf(SAMPLES)];
  mkdirSync(join(project, FOLDER), { recursive: true });
  writeFileSync(ignored, '*\n');
  writeFileSync(file, `${JSON.stringify(samples, null, 1)}\n`, { mode: OWNER_ONLY });
}

/** Takes the sampled events of the workspace. */
export async function fetchSamples(weir: WeirClient, token: string): Promise<Samples> {
  const { workspace } = await unwrap(weir.GET('/v2/workspace'));
  return { workspaceId: workspace.id, events: await sampledEvents(weir, token) };
}

/** Up to five events of each model. */
export async function sampledEvents(weir: WeirClient, token: string): Promise<JsonObject[]> {
  const headers = basicOf(token);
  const models = await unwrap(weir.GET('/schemas/event-models', { headers }));
  const frequent = models.toSorted((a, b) => b.TotalCount - a.TotalCount).slice(0, MODELS_MAX);
  const events: JsonObject[] = [];
  for (const { EventID } of frequent) {
    const init = { params: { path: { EventID } }, headers };
    const { SampledEvents } = await unwrap(weir.GET('/schemas/event-model/{EventID}/metadata', init));
    events.push(...(SampledEvents as JsonObject[]));
  }
  return events;
}
