import { queryOptions } from '@tanstack/react-query';
import { answer, api, type Schema, tagged } from './client.js';
import { allAfter, allPages } from './pages.js';
import { every } from './refetch.js';

export type Source = Schema<'Source'>;
export type Destination = Schema<'Destination'>;
export type Connection = Schema<'Connection'>;
export type Definition = Schema<'DestinationDefinition'>;
export type Counters = Schema<'DeliveryCounters'>;
export type Hour = Schema<'DeliveryHour'>;

const readSources = () =>
  allPages(
    (page) => answer(api.GET('/v2/sources', { params: { query: { page } } })),
    ({ sources }) => sources,
  );
const readDestinations = () =>
  allPages(
    (page) => answer(api.GET('/v2/destinations', { params: { query: { page } } })),
    ({ destinations }) => destinations,
  );
const readConnections = () =>
  allPages(
    (page) => answer(api.GET('/v2/connections', { params: { query: { page } } })),
    ({ connections }) => connections,
  );
const readDefinitions = () => answer(api.GET('/destination-definitions'));
const readCounters = (hours: number) =>
  allAfter((after_cursor) =>
    answer(
      api.GET('/v2/deliveries/counters', { params: { query: { hours, ...(after_cursor ? { after_cursor } : {}) } } }),
    ),
  );

export const sourcesQuery = queryOptions({
  queryKey: ['sources'],
  queryFn: readSources,
  refetchInterval: every(15_000),
});
export const destinationsQuery = queryOptions({
  queryKey: ['destinations'],
  queryFn: readDestinations,
  refetchInterval: every(15_000),
});
/** One of them. Only the API can say that it does not exist: a list may be older. */
export const sourceQuery = (id: string) =>
  queryOptions({
    queryKey: ['sources', id],
    queryFn: async () => (await answer(api.GET('/v2/sources/{id}', { params: { path: { id } } }))).source,
    refetchInterval: every(15_000),
  });
export const destinationQuery = (id: string) =>
  queryOptions({
    queryKey: ['destinations', id],
    queryFn: async () => {
      const { data, etag } = await tagged(api.GET('/v2/destinations/{id}', { params: { path: { id } } }));
      return { destination: data.destination, etag };
    },
    refetchInterval: every(15_000),
  });
export const connectionsQuery = queryOptions({
  queryKey: ['connections'],
  queryFn: readConnections,
  refetchInterval: every(15_000),
});
export const definitionsQuery = queryOptions({
  queryKey: ['definitions'],
  queryFn: readDefinitions,
  staleTime: Number.POSITIVE_INFINITY,
});
export const countersQuery = (hours: number) =>
  queryOptions({ queryKey: ['counters', hours], queryFn: () => readCounters(hours), refetchInterval: every(5_000) });

/** Hours with events, oldest first. Hours without any are left out. */
export const hoursQuery = (hours: number, destinationId?: string) =>
  queryOptions({
    queryKey: ['delivery hours', hours, destinationId],
    queryFn: async () =>
      (
        await answer(
          api.GET('/v2/deliveries/hours', {
            params: { query: { hours, ...(destinationId ? { destinationId } : {}) } },
          }),
        )
      ).data,
    refetchInterval: every(30_000),
  });
