// Four kinds of tests, told apart by file name (CONTRIBUTING.md): unit beside the source, integration against real
// PostgreSQL and NATS, black-box tests of the running stack, and soak tests, which take minutes each.
const ownDatabases = {
  globalSetup: '<rootDir>/libs/testing/src/jest/global-setup.ts',
  globalTeardown: '<rootDir>/libs/testing/src/jest/global-teardown.ts',
};

const shared = {
  testEnvironment: '<rootDir>/tools/jest-environment.mjs',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['/dist/', '/\\.nx/'],
  transform: {
    '\\.ts$': ['@swc/jest', { swcrc: false, ...swcOptions() }],
    '\\.tsx$': ['@swc/jest', { swcrc: false, ...swcOptions({ tsx: true }) }],
  },
};

function swcOptions(syntax = {}) {
  return {
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript', decorators: true, ...syntax },
      transform: {
        legacyDecorator: true,
        decoratorMetadata: true,
        useDefineForClassFields: false,
        react: { runtime: 'automatic' },
      },
      keepClassNames: true,
    },
    module: { type: 'es6' },
    sourceMaps: 'inline',
  };
}

export default {
  // One more than the smallest machine has cores: many files wait for what their processes do.
  maxWorkers: 3,
  // A worker keeps the modules of every file that it ran: collecting that garbage takes longer than a new worker.
  workerIdleMemoryLimit: '700MB',
  // Above the patience of `until` (libs/testing), whose error says what was waited for. Only a hang reaches it.
  testTimeout: 300_000,
  testSequencer: '<rootDir>/tools/jest-sequencer.mjs',
  reporters: ['default', '<rootDir>/tools/plain-reporter.mjs'],
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: [
        '<rootDir>/{packages,libs,apps}/*/src/**/*.spec.{ts,tsx}',
        '<rootDir>/deploy/local/src/**/*.spec.ts',
        '<rootDir>/tools/**/*.spec.mjs',
      ],
    },
    {
      ...shared,
      displayName: 'integration',
      testMatch: ['<rootDir>/{libs,apps}/*/test/**/*.int-spec.ts'],
      ...ownDatabases,
    },
    {
      ...shared,
      displayName: 'soak',
      testMatch: ['<rootDir>/{libs,apps}/*/test/**/*.soak-spec.ts'],
      ...ownDatabases,
    },
    {
      ...shared,
      displayName: 'e2e',
      testMatch: ['<rootDir>/apps/e2e/test/**/*.e2e-spec.ts'],
      globalSetup: '<rootDir>/apps/e2e/src/global-setup.ts',
      globalTeardown: '<rootDir>/apps/e2e/src/global-teardown.ts',
    },
  ],
};
