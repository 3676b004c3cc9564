import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { Missing } from './components/missing.js';
import { parseEventFilters, parseHours, parseKind, parseSource, parseTab } from './lib/filters.js';
import { Shell } from './shell/shell.js';

/** Addresses of the console. What a page shows is in its address, so that every state can be sent to somebody. */
const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: parseHours,
  component: lazyRouteComponent(() => import('./features/overview/overview.page.js'), 'OverviewPage'),
});
const live = createRoute({
  getParentRoute: () => root,
  path: '/live',
  validateSearch: parseEventFilters,
  component: lazyRouteComponent(() => import('./features/live/live.page.js'), 'LivePage'),
});
const events = createRoute({
  getParentRoute: () => root,
  path: '/events',
  validateSearch: parseTab,
  component: lazyRouteComponent(() => import('./features/live/events.page.js'), 'EventsPage'),
});
const event = createRoute({
  getParentRoute: () => root,
  path: '/events/$messageId',
  component: lazyRouteComponent(() => import('./features/live/event.page.js'), 'EventPage'),
});
const code = createRoute({
  getParentRoute: () => root,
  path: '/code',
  component: lazyRouteComponent(() => import('./features/code/code.page.js'), 'CodePage'),
});
const codeOne = createRoute({
  getParentRoute: () => root,
  path: '/code/$id',
  validateSearch: parseTab,
  component: lazyRouteComponent(() => import('./features/code/transformation.page.js'), 'TransformationPage'),
});
const library = createRoute({
  getParentRoute: () => root,
  path: '/libraries/$id',
  component: lazyRouteComponent(() => import('./features/code/library.page.js'), 'LibraryPage'),
});
const sources = createRoute({
  getParentRoute: () => root,
  path: '/sources',
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
  component: lazyRouteComponent(() => import('./features/sources/source.page.js'), 'SourcePage'),
});
const destinations = createRoute({
  getParentRoute: () => root,
  path: '/destinations',
  component: lazyRouteComponent(() => import('./features/destinations/destinations.page.js'), 'DestinationsPage'),
});
const destinationNew = createRoute({
  getParentRoute: () => root,
  path: '/destinations/new',
  validateSearch: parseKind,
  component: lazyRouteComponent(() => import('./features/destinations/new-destination.page.js'), 'NewDestinationPage'),
});
const destination = createRoute({
  getParentRoute: () => root,
  path: '/destinations/$id',
  validateSearch: parseTab,
  component: lazyRouteComponent(() => import('./features/destinations/destination.page.js'), 'DestinationPage'),
});
const schemas = createRoute({
  getParentRoute: () => root,
  path: '/schemas',
  validateSearch: parseSource,
  component: lazyRouteComponent(() => import('./features/schemas/schemas.page.js'), 'SchemasPage'),
});
const model = createRoute({
  getParentRoute: () => root,
  path: '/schemas/$id',
  validateSearch: parseTab,
  component: lazyRouteComponent(() => import('./features/schemas/model.page.js'), 'ModelPage'),
});
const privacy = createRoute({
  getParentRoute: () => root,
  path: '/privacy',
  validateSearch: parseTab,
  component: lazyRouteComponent(() => import('./features/privacy/privacy.page.js'), 'PrivacyPage'),
});
const regulation = createRoute({
  getParentRoute: () => root,
  path: '/privacy/$id',
  component: lazyRouteComponent(() => import('./features/privacy/regulation.page.js'), 'RegulationPage'),
});
const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  validateSearch: parseTab,
  component: lazyRouteComponent(() => import('./features/settings/settings.page.js'), 'SettingsPage'),
});

export const router = createRouter({
  basepath: '/console',
  defaultPreload: 'intent',
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
