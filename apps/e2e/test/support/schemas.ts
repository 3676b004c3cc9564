import { until } from '@weir/testing';
import { intakeOf, newSource, type Source } from './inventory.js';
import { made, operator, type Workspace } from './workspace.js';

export interface Model {
  ID: number;
  EventID: string;
  EventType: string;
  EventIdentifier: string;
  Schema: Record<string, string>;
  CreatedAt: string;
  LastSeen: string;
  TotalCount: number;
}
export interface Version {
  VersionID: string;
  EventModelID: string;
  Schema: Record<string, string>;
  TotalCount: number;
}

/** The body that area D answers with 200. */
export const get = async (path: string, query: Record<string, string> = {}) =>
  made(await operator().get(path, { query }));
export const modelsOf = ({ writeKey }: Source): Promise<Model[]> =>
  get('/schemas/event-models', { WriteKey: writeKey });
export const versionsOf = ({ EventID }: Model): Promise<Version[]> => get('/schemas/event-versions', { EventID });

/** The models of a source, once they hold this many events in total. */
export const counted = (source: Source, total: number): Promise<Model[]> =>
  until(`${total} events to be counted`, async () => {
    const models = await modelsOf(source);
    return models.reduce((sum, { TotalCount }) => sum + TotalCount, 0) === total && models;
  });

/** The only model of a new source that got these track events. */
export async function trackedModel(own: Workspace, events: object[]): Promise<{ model: Model; source: Source }> {
  const source = await newSource(own.writer);
  const batch = events.map((event) => ({ type: 'track', event: 'Ordered', userId: 'u', ...event }));
  const answer = await intakeOf(source).post('/v1/batch', { batch });
  if (answer.status !== 200) throw new Error(`the intake answered ${answer.status}: ${answer.text}`);
  const [model] = await counted(source, events.length);
  if (!model) throw new Error('the events have no model');
  return { model, source };
}
