interface Hooks {
  beforeAll(run: () => Promise<void>, timeoutMs?: number): void;
  afterAll(run: () => Promise<void>, timeoutMs?: number): void;
}

/** Jest's hooks as globals: `@jest/globals` cannot be imported outside of a test run, and benches use this library too. */
export const hooks = (): Hooks => globalThis as unknown as Hooks;
