// The dependency rules of the repository, made from the tags in each project's package.json (nx.tags), so that a new project
// is bound by them from its first line. `npm run check:boundaries` fails on each breach and on any import cycle.
import { projects as allProjects } from './tools/boundaries/projects.mjs';

/** The types of project that each type may import. `self` is always allowed. */
const ALLOWED = {
  app: ['kit', 'domain', 'stages', 'rules', 'contracts'],
  kit: ['kit', 'contracts'],
  domain: ['contracts'],
  stages: ['kit', 'domain', 'contracts'],
  // Rules that the server and the command line follow alike. Pure, and small enough for what users install.
  rules: ['contracts'],
  contracts: [],
  // Users install it. It knows the API and nothing of its server.
  client: [],
  cli: ['client', 'rules'],
  // Runs in a browser: it knows the API by its client, and nothing of the server.
  console: ['client'],
  // PostgreSQL and NATS on one machine. Tests need no more than that, so they do not wait for the stack to be built.
  servers: ['contracts'],
  testing: ['kit', 'contracts', 'servers'],
  // Starts the apps, and so stands above them.
  stack: ['servers', 'contracts'],
  e2e: ['testing', 'contracts', 'servers', 'stack'],
};

/** The only apps that reach destinations, and so the only ones with a way out of the cluster. */
const OUTBOUND_SCOPES = ['runner', 'delivery', 'regulation', 'stages'];
const OUTBOUND_PROJECTS = ['libs/destinations', 'libs/egress'];

/** The only apps that read the inventory, because its configurations are sealed secrets. */
const INVENTORY_SCOPES = ['gateway', 'delivery', 'regulation', 'inventory'];

/** Loads user code, and nothing else does. */
const ISOLATE_ENTRY = '^apps/code-sandbox/src/child/';

const projects = allProjects();
const TESTS = '(\\.spec|\\.(int|e2e|soak)-spec)\\.tsx?$|/test/';
const anyOf = (paths) => `^(${paths.join('|')})/`;
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const directions = projects.map(({ path, type }) => {
  const allowed = projects.filter((other) => other.path === path || ALLOWED[type].includes(other.type));
  return rule(
    `direction-of-${path.replace('/', '-')}`,
    `a project of type:${type} may use only ${ALLOWED[type].map((one) => `type:${one}`).join(', ') || 'itself'}`,
    { path: `^${path}/`, pathNot: TESTS },
    { path: '^(packages|libs|apps|deploy/local)/', pathNot: anyOf(allowed.map((one) => one.path)) },
  );
});

/** The folders that a delivered event passes, from its batch down to the words for it. Each uses those of later lines only. */
const DELIVERY_ROOMS = [
  ['routing'],
  ['sending'],
  ['queues', 'code', 'outcomes', 'dead-letters', 'traces'],
  ['units', 'checks', 'days', 'inventory'],
];
const DELIVERY = 'apps/delivery-service/src';
const deliveryRooms = DELIVERY_ROOMS.map((rooms, at) =>
  rule(
    `delivery-room-${at + 1}`,
    'the sending path is four folders deep, so that it can be read from above',
    { path: `^${DELIVERY}/(${rooms.join('|')})/`, pathNot: TESTS },
    {
      path: `^${DELIVERY}/[^/]+/`,
      pathNot: `^${DELIVERY}/(${['$1', ...DELIVERY_ROOMS.slice(at + 1).flat()].join('|')})/`,
    },
  ),
);

export default {
  forbidden: [
    rule('no-circular', 'a cycle means that two files are one', {}, { circular: true }),
    rule(
      'no-deep-import',
      'a library is used through its entry point',
      { path: '^(packages|libs|apps|deploy/local)/([^/]+)/' },
      { path: '^(packages|libs)/([^/]+)/src/(?!index\\.ts)', pathNot: '^(packages|libs|apps|deploy/local)/$2/' },
    ),
    rule(
      'no-app-imports-an-app',
      'services meet on subjects, never in code',
      { path: '^apps/([^/]+)/' },
      { path: '^apps/', pathNot: '^apps/$1/' },
    ),
    rule(
      'the-stack-stands-above',
      'the local stack starts the apps: no library needs it, not even in its tests',
      { path: '^(packages|libs)/' },
      { path: '^deploy/local/' },
    ),
    rule(
      'testing-is-for-tests',
      'test helpers stay out of what ships',
      { path: '^(libs|apps)/', pathNot: `${TESTS}|^libs/testing/|^apps/e2e/` },
      { path: '^libs/testing/' },
    ),
    rule(
      'one-way-out',
      'only the test runner, the delivery service and the regulation service reach destinations',
      {
        path: '^(apps|libs)/',
        pathNot: `${anyOf(projects.filter((one) => OUTBOUND_SCOPES.includes(one.scope)).map((one) => one.path))}|${anyOf(OUTBOUND_PROJECTS)}`,
      },
      { path: anyOf(OUTBOUND_PROJECTS) },
    ),
    rule(
      'inventory-readers',
      'only intake, live delivery and deletion need the inventory, which holds sealed configurations',
      {
        path: '^(apps|libs)/',
        pathNot: `${TESTS}|${anyOf(projects.filter((one) => INVENTORY_SCOPES.includes(one.scope)).map((one) => one.path))}`,
      },
      { path: '^libs/inventory/' },
    ),
    rule(
      'isolates-in-the-child-only',
      'isolated-vm is loaded by the sandbox child and by nothing else',
      { pathNot: ISOLATE_ENTRY },
      { path: 'isolated-vm' },
    ),
    rule(
      'supervisor-without-child',
      'what a child loads, its supervisor never loads into its own process',
      { path: '^apps/code-sandbox/src/', pathNot: '^apps/code-sandbox/src/(child/|child\\.ts$)' },
      { path: '^apps/code-sandbox/src/(child/|child\\.ts$)' },
    ),
    rule(
      'database-by-the-kit',
      "Weir's own database is reached through the kit: each of its queries has a deadline at the client",
      {
        path: '^(apps|libs)/',
        pathNot: `${TESTS}|^libs/(service-kit|testing|local-servers)/|^apps/e2e/|^libs/destinations/src/kinds/postgres/`,
      },
      { path: '(^|/)node_modules/(@types/)?pg/' },
    ),
    rule(
      'one-engine-for-patterns',
      'patterns that customers write are bounded and refused in one place',
      { pathNot: '^libs/patterns/' },
      { path: 're2js' },
    ),
    rule('no-unresolvable', 'an import has to lead somewhere', {}, { couldNotResolve: true }),
    ...directions,
    ...deliveryRooms,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/|/\\.nx/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      conditionNames: ['source', 'import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
      mainFields: ['module', 'main', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
};
