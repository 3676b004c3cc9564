import { newConsole } from './console.js';
import { fetch, fetchV2 } from './fetch.js';
import { fixBuffers } from './fixed-buffers.js';
import { geolocation } from './geolocation.js';
import { log } from './log.js';
import { getCredential, settings } from './settings.js';
import { atob, btoa } from './web/base64.js';
import { cryptoOf, sha256 } from './web/crypto.js';
import { structuredClone } from './web/structured-clone.js';
import { TextDecoder, TextEncoder } from './web/text-encoding.js';
import { URL } from './web/url.js';
import { URLSearchParams } from './web/url-search-params.js';

/**
 * Withheld globals, all without use to user code. Shared memory serves as a clock for side channels, `Atomics.waitAsync` as a
 * timer, and WebAssembly adds attack surface. A `FinalizationRegistry` calls user code between runs, outside all limits.
 */
const WITHHELD = ['SharedArrayBuffer', 'Atomics', 'WebAssembly', 'FinalizationRegistry'];

/** Prepares the realm before anything about the run is known. */
export function furnish(): void {
  const scope = globalThis as Record<string, unknown>;
  for (const name of WITHHELD) delete scope[name];
  fixBuffers(scope);
  scope['global'] = globalThis;
  const given = {
    ...{ atob, btoa, structuredClone, TextDecoder, TextEncoder, URL, URLSearchParams },
    ...{ console: newConsole(), crypto: cryptoOf(() => settings.seed), sha256, log },
    ...{ fetch, fetchV2, geolocation, getCredential },
  };
  for (const [name, value] of Object.entries(given)) {
    Object.defineProperty(scope, name, { value, writable: true, enumerable: false, configurable: true });
  }
}
