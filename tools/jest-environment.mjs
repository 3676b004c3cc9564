import { TestEnvironment } from 'jest-environment-node';

/** Where Node keeps the connections of `fetch`. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

/**
 * Gives each test file its own connections. A worker keeps `fetch` from file to file, and loading one blocks it for seconds:
 * it would then send on an idle connection without having seen that the server had closed it.
 */
export default class extends TestEnvironment {
  async teardown() {
    await super.teardown();
    const agent = globalThis[DISPATCHER];
    if (!agent) return;
    globalThis[DISPATCHER] = new agent.constructor();
    await agent.destroy();
  }
}
