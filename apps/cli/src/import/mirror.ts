import type { Import } from './import.js';

const KIND = 'DATA_PLANE';

/**
 * Makes each source copy its events to the old data plane, so that both run side by side. The old one still serves the
 * destinations. Their counterparts are written disabled, because they would get every event twice.
 */
export function addMirrors(dataPlaneUrl: string, into: Import): void {
  const { sources, destinations, connections } = into.project;
  for (const destination of destinations) destination.enabled = false;
  if (destinations.length > 0)
    into.losses.push({
      what: 'all destinations',
      events: `They are written disabled, because ${dataPlaneUrl} goes on to serve them. Enable one when it is off there`,
    });
  for (const { name: source, writeKey } of sources) {
    if (writeKey === undefined) {
      into.losses.push({
        what: `source "${source}": copies`,
        events: 'None are sent, because its write key is unknown',
      });
      continue;
    }
    const name = into.freeName('destinations', `Copies of ${source}`);
    const secret = into.secret(writeKey, `destination "${name}": writeKey`, name, 'writeKey');
    destinations.push({ name, type: KIND, config: { dataPlaneUrl, writeKey: secret } });
    connections.push({ source, destination: name });
  }
}
