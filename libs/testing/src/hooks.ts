interface Hooks {
  beforeAll(run: () => Promise<void>, timeoutMs?: number): void;
  afterAll(run: () => Promise<void>, timeoutMs?: number): void;
}

/** Jest's hooks as globals. `@jest/globals` cannot be imported outside a test run, and benchmarks use this library too. */
export const hooks = (): Hooks => globalThis as unknown as Hooks;
