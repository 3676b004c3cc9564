import { readTracesConfig, sendsTraces } from './config.js';
import type { Traces } from './trace-sdk.js';

const NONE: Traces = { stop: async () => undefined };

/** Traces of this process, from its environment. The SDK is loaded only where traces are wanted. */
export async function startTraces(process: string): Promise<Traces> {
  if (!sendsTraces()) return NONE;
  const { startSdk } = await import('./trace-sdk.js');
  return startSdk(process, readTracesConfig());
}
