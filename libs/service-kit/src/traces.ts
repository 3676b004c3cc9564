import { readTracesConfig, sendsTraces } from './config.js';
import type { Traces } from './trace-sdk.js';

const NONE: Traces = { stop: async () => undefined };

/** Starts tracing as the environment says. Loads the SDK only if needed. */
export async function startTraces(process: string): Promise<Traces> {
  if (!sendsTraces()) return NONE;
  const { startSdk } = await import('./trace-sdk.js');
  return startSdk(process, readTracesConfig());
}
