import { queryOptions } from '@tanstack/react-query';
import { answer, api, type Schema } from './client.js';
import { every } from './refetch.js';

export type Model = Schema<'EventModel'>;
export type Version = Schema<'EventVersion'>;
export type KeyFact = Schema<'KeyFact'>;

export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: () => answer(api.GET('/schemas/event-models')),
  refetchInterval: every(5_000),
});
/** Events of the last 30 days, by model. */
export const daysQuery = queryOptions({
  queryKey: ['model days'],
  queryFn: async () => {
    const models = await answer(api.GET('/schemas/event-models/days'));
    return new Map(models.map(({ EventID, Days }) => [EventID, Days]));
  },
  refetchInterval: every(30_000),
});
export const versionsQuery = (EventID: string) =>
  queryOptions({
    queryKey: ['versions', EventID],
    queryFn: () => answer(api.GET('/schemas/event-versions', { params: { query: { EventID } } })),
  });
export const keysQuery = (EventID: string) =>
  queryOptions({
    queryKey: ['keys', EventID],
    queryFn: () => answer(api.GET('/schemas/event-model/{EventID}/keys', { params: { path: { EventID } } })),
  });
export const piiQuery = (EventID: string) =>
  queryOptions({
    queryKey: ['pii', EventID],
    queryFn: () => answer(api.GET('/schemas/event-model/{EventID}/pii', { params: { path: { EventID } } })),
  });
export const metadataQuery = (EventID: string) =>
  queryOptions({
    queryKey: ['metadata', EventID],
    queryFn: () => answer(api.GET('/schemas/event-model/{EventID}/metadata', { params: { path: { EventID } } })),
  });
/** Changes that are shown at once: a page of the API. */
export const DRIFT_MAX = 50;
/** The newest changes, newest first. */
export const driftQuery = (EventID?: string) =>
  queryOptions({
    queryKey: ['drift', EventID],
    queryFn: () =>
      answer(
        api.GET('/schemas/drift', {
          params: { query: { order: 'desc', limit: DRIFT_MAX, ...(EventID ? { EventID } : {}) } },
        }),
      ),
  });
