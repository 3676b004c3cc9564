import { withReferences } from '../project/export.js';
import type { SourceInFile } from '../project/files.js';
import { isObject, type Json, type JsonObject } from '../project/json.js';
import type { Import } from './import.js';
import type { Node } from './ledger.js';
import { secretPaths } from './secret-paths.js';

export interface ImportedSource {
  id: string;
  /** Undefined if Weir has no such source. */
  name: string | undefined;
  /** Its platform, for settings of destinations that differ by platform. */
  platform: string;
}

/** The incumbent pulls from these. Weir takes what is sent to it. */
const PULLED = new Set(['singer-protocol', 'warehouse']);
export const WRITE_KEY = /^[\w-]{20,64}$/;
const WEIR_IDS = 'Weir makes ids of its own. Files refer to resources by name';

const LOST = {
  id: WEIR_IDS,
  originalId: WEIR_IDS,
  workspaceId: 'The access token decides the workspace',
  internalSecret: 'A secret between parts of the incumbent',
  dgSourceTrackingPlanConfig: 'Weir describes events and enforces no tracking plan: GET /schemas/event-models',
};
const DEFINITION = {
  id: WEIR_IDS,
  category: 'It follows from the type of the source',
  displayName: 'A label of the incumbent',
  type: 'It chose settings of destinations that differ by platform',
  options: 'Settings of the incumbent for this kind of source',
};

export function importSource(node: Node, into: Import): ImportedSource {
  const definition = node.at('sourceDefinition');
  const written = node.at('name').text ?? 'unnamed';
  const [id, platform] = [
    node.at('id').text ?? node.path.join('.'),
    definition.at('type').text?.toLowerCase() ?? 'cloud',
  ];
  if (PULLED.has(definition.at('category').text ?? ''))
    return pulled(node, { id, platform, name: undefined }, written, into);
  const name = into.freeName('sources', written);
  const place = `source "${name}"`;
  if (node.at('destinations').items().length === 0) node.at('destinations').lost('It is connected to nothing');
  node.lostAll(LOST);
  definition.lostAll(DEFINITION);
  definition.at('name').mapped(`${place}: type`);
  node.at('name').mapped(`${place}: name`);
  node.at('enabled').mapped(`${place}: enabled`);
  const unread = unreadOf(node, place, into);
  const plan = node.at('dgSourceTrackingPlanConfig').at('trackingPlan').at('id').text;
  if (plan) into.losses.push({ what: `${place}: tracking plan`, events: 'Events that break the plan would pass' });
  into.project.sources.push({
    ...{ name, type: definition.at('name').text ?? 'HTTP' },
    ...(!node.at('enabled').isOn && { enabled: false }),
    ...unread,
    ...writeKeyOf(node.at('writeKey'), place, into),
    ...configOf(node.at('config'), name, into),
  } as SourceInFile);
  return { id, platform, name };
}

/** Settings that Weir keeps and does not act on. It can at least keep no samples of what the incumbent does not store. */
function unreadOf(node: Node, place: string, into: Import) {
  const [transient, geoEnrichment] = [node.at('transient'), node.at('geoEnrichment').at('enabled')];
  transient.kept(`${place}: transient. Weir keeps it and does not act on it`);
  geoEnrichment.kept(`${place}: geoEnrichment. Weir keeps it and does not act on it`);
  if (transient.value === true)
    into.losses.push({
      what: `${place}: transient`,
      events:
        'Weir stores them until they are delivered, and what fails for longer. It keeps no samples: privacy.samples is off',
    });
  if (geoEnrichment.value === true)
    into.losses.push({ what: `${place}: geoEnrichment`, events: 'They arrive without the place of their IP address' });
  return {
    ...(transient.value === true && { transient: true, privacy: { samples: 'off' } }),
    ...(geoEnrichment.value === true && { geoEnrichment: true }),
  };
}

/** Everything of it is lost, its connections too. */
function pulled(node: Node, source: ImportedSource, name: string, into: Import): ImportedSource {
  const category = node.at('sourceDefinition').at('category').text;
  node.lost(`Weir does not pull data from elsewhere, so it has no sources of the category ${category}`);
  into.losses.push({ what: `source "${name}" (${category})`, events: 'Everything that the incumbent pulls from it' });
  return source;
}

function writeKeyOf(node: Node, place: string, into: Import): { writeKey?: string } {
  if (node.text === undefined) return {};
  if (!WRITE_KEY.test(node.text)) {
    node.lost('Weir keeps write keys of 20 to 64 letters, digits, _ and -');
    into.losses.push({ what: `${place}: write key`, events: 'SDKs need the new key, or their events are refused' });
    return {};
  }
  node.mapped(`${place}: writeKey`);
  return { writeKey: node.text };
}

/** Settings that Weir keeps. Those that look secret become references. */
export function configOf(node: Node, name: string, into: Import): { config?: JsonObject } {
  if (!isObject(node.value) || Object.keys(node.value).length === 0) {
    node.lost('It is empty');
    return {};
  }
  const place = `source "${name}"`;
  node.kept(`${place}: config. Weir keeps it and does not act on it`);
  const refer = (path: string[], value: Json) =>
    into.secret(value, `${place}: config.${path.join('.')}`, name, ...path);
  return { config: withReferences(node.value, secretPaths(node.value), refer) };
}
