import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { ahead } from './api/ahead.js';
import { librariesQuery, libraryRevisionsQuery, revisionsQuery, transformationsQuery } from './api/code.js';
import { eventQuery } from './api/events.js';
import {
  connectionsQuery,
  definitionsQuery,
  destinationQuery,
  destinationsQuery,
  sourceQuery,
  sourcesQuery,
} from './api/inventory.js';
import { regulationQuery } from './api/privacy.js';
import { daysQuery, keysQuery, modelsQuery } from './api/schemas.js';
import { Missing } from './components/missing.js';
import { fieldsIn, parseEventFilters, parseOverview } from './lib/filters.js';
import { Shell } from './shell/shell.js';

const inventoryAhead = () => {
  ahead('inventory', sourcesQuery);
  ahead('inventory', destinationsQuery);
  ahead('inventory', connectionsQuery);
  ahead('inventory', definitionsQuery);
};

/** Addresses of the console. The address holds what the page shows, so that users can share every state. */
const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  // every page may hold a list that is sorted
  validateSearch: fieldsIn('sort'),
});

const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: parseOverview,
  loader: inventoryAhead,
  component: lazyRouteComponent(() => import('./features/overview/overview.page.js'), 'OverviewPage'),
});
const live = createRoute({
  getParentRoute: () => root,
  path: '/live',
  validateSearch: parseEventFilters,
  loader: inventoryAhead,
  component: lazyRouteComponent(() => import('./features/live/live.page.js'), 'LivePage'),
});
const events = createRoute({
  getParentRoute: () => root,
  path: '/events',
  validateSearch: fieldsIn('find'),
  component: lazyRouteComponent(() => import('./features/live/events.page.js'), 'EventsPage'),
});
const event = createRoute({
  getParentRoute: () => root,
  path: '/events/$messageId',
  loader: ({ params: { messageId } }) => ahead('deliveries', eventQuery(messageId)),
  component: lazyRouteComponent(() => import('./features/live/event.page.js'), 'EventPage'),
});
const code = createRoute({
  getParentRoute: () => root,
  path: '/code',
  validateSearch: fieldsIn('librarySort'),
  loader: () => {
    ahead('transformations', transformationsQuery);
    ahead('transformations', librariesQuery);
  },
  component: lazyRouteComponent(() => import('./features/code/code.page.js'), 'CodePage'),
});
const codeOne = createRoute({
  getParentRoute: () => root,
  path: '/code/$id',
  validateSearch: fieldsIn('tab', 'library', 'version', 'dialog', 'event'),
  loader: ({ params: { id } }) => {
    if (id !== 'new') ahead('transformations', revisionsQuery(id));
  },
  component: lazyRouteComponent(() => import('./features/code/transformation.page.js'), 'TransformationPage'),
});
const library = createRoute({
  getParentRoute: () => root,
  path: '/libraries/$id',
  validateSearch: fieldsIn('tab', 'version', 'dialog'),
  loader: ({ params: { id } }) => {
    if (id !== 'new') ahead('transformations', libraryRevisionsQuery(id));
  },
  component: lazyRouteComponent(() => import('./features/code/library.page.js'), 'LibraryPage'),
});
const sources = createRoute({
  getParentRoute: () => root,
  path: '/sources',
  loader: inventoryAhead,
  component: lazyRouteComponent(() => import('./features/sources/sources.page.js'), 'SourcesPage'),
});
const sourceNew = createRoute({
  getParentRoute: () => root,
  path: '/sources/new',
  component: lazyRouteComponent(() => import('./features/sources/new-source.page.js'), 'NewSourcePage'),
});
const source = createRoute({
  getParentRoute: () => root,
  path: '/sources/$id',
  validateSearch: fieldsIn('snippet'),
  loader: ({ params: { id } }) => {
    ahead('inventory', sourceQuery(id));
    inventoryAhead();
  },
  component: lazyRouteComponent(() => import('./features/sources/source.page.js'), 'SourcePage'),
});
const destinations = createRoute({
  getParentRoute: () => root,
  path: '/destinations',
  loader: inventoryAhead,
  component: lazyRouteComponent(() => import('./features/destinations/destinations.page.js'), 'DestinationsPage'),
});
const destinationNew = createRoute({
  getParentRoute: () => root,
  path: '/destinations/new',
  validateSearch: fieldsIn('kind', 'find'),
  loader: () => ahead('inventory', definitionsQuery),
  component: lazyRouteComponent(() => import('./features/destinations/new-destination.page.js'), 'NewDestinationPage'),
});
const destination = createRoute({
  getParentRoute: () => root,
  path: '/destinations/$id',
  validateSearch: fieldsIn('tab'),
  loader: ({ params: { id } }) => {
    ahead('inventory', destinationQuery(id));
    inventoryAhead();
  },
  component: lazyRouteComponent(() => import('./features/destinations/destination.page.js'), 'DestinationPage'),
});
const schemas = createRoute({
  getParentRoute: () => root,
  path: '/schemas',
  validateSearch: fieldsIn('source'),
  loader: () => {
    ahead('schemas', modelsQuery);
    ahead('schemas', daysQuery);
  },
  component: lazyRouteComponent(() => import('./features/schemas/schemas.page.js'), 'SchemasPage'),
});
const model = createRoute({
  getParentRoute: () => root,
  path: '/schemas/$id',
  validateSearch: fieldsIn('tab', 'find', 'version'),
  loader: ({ params: { id } }) => {
    ahead('schemas', modelsQuery);
    ahead('schemas', keysQuery(id));
  },
  component: lazyRouteComponent(() => import('./features/schemas/model.page.js'), 'ModelPage'),
});
const privacy = createRoute({
  getParentRoute: () => root,
  path: '/privacy',
  validateSearch: fieldsIn('tab', 'find', 'status'),
  component: lazyRouteComponent(() => import('./features/privacy/privacy.page.js'), 'PrivacyPage'),
});
const regulation = createRoute({
  getParentRoute: () => root,
  path: '/privacy/$id',
  loader: ({ params: { id } }) => ahead('regulations', regulationQuery(id)),
  component: lazyRouteComponent(() => import('./features/privacy/regulation.page.js'), 'RegulationPage'),
});
const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  validateSearch: fieldsIn('tab'),
  component: lazyRouteComponent(() => import('./features/settings/settings.page.js'), 'SettingsPage'),
});

const operator = createRoute({
  getParentRoute: () => root,
  path: '/operator',
  validateSearch: fieldsIn('workspace'),
  component: lazyRouteComponent(() => import('./features/operator/operator.page.js'), 'OperatorPage'),
});

export const router = createRouter({
  basepath: '/console',
  // The page and its lists come while a link is under the pointer or has the focus. How long lists stay fresh is for the queries to say.
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  // only what the filters of a page understood: an address may hold anything
  search: { strict: true },
  routeTree: root.addChildren([
    overview,
    live,
    events,
    event,
    code,
    codeOne,
    library,
    sources,
    sourceNew,
    source,
    destinations,
    destinationNew,
    destination,
    schemas,
    model,
    privacy,
    regulation,
    settings,
    operator,
  ]),
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

function NotFound() {
  return <Missing title="There is no page at this address" all={{ label: 'Go to the overview', to: '/' }} />;
}
