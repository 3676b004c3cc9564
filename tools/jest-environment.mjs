import { TestEnvironment } from 'jest-environment-node';

/** The symbol under which Node keeps the connections of `fetch`. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

/**
 * Gives each test file its own connections. A worker keeps `fetch` across files, and loading a file blocks it for seconds. It
 * would then send on an idle connection before it notices that the server has closed it.
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
