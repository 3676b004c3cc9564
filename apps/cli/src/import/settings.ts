import { withReferences } from '../project/export.js';
import { isObject, type Json, type JsonObject, sameJson } from '../project/json.js';
import type { Definition, Import } from './import.js';
import type { Node } from './ledger.js';

/** Keys of values that differ by platform (the type of a source). */
const PLATFORMS = new Set([
  ...[
    'web',
    'android',
    'ios',
    'androidkotlin',
    'iosswift',
    'unity',
    'reactnative',
    'flutter',
    'cordova',
    'amp',
    'shopify',
  ],
  ...['cloud', 'cloudsource', 'warehouse'],
]);
const TEMPLATE = /\{\{ {0,9}event\./;

interface Place {
  /** `destination "x"`. */
  name: string;
  title: string;
  definition: Definition;
  /** Platform of the source that it is connected to. */
  platform: string;
}

/** Settings of a destination. Secrets become references, and each key is accounted for. */
export function settingsOf(nodes: readonly Node[], place: Place, into: Import): JsonObject {
  const settings: JsonObject = {};
  const secretKeys = new Set(place.definition.secretKeys);
  for (const node of nodes)
    for (const setting of node.items()) {
      settings[setting.key] = chosenValue(setting, place);
      if (node.key.toLowerCase() === 'secretconfig') secretKeys.add(setting.key);
      tellTemplates(setting, place, into);
    }
  return withReferences(settings, [...secretKeys], (path, value) =>
    into.secret(value, `${place.name}: ${path.join('.')}`, place.title, ...path),
  );
}

function chosenValue(node: Node, { name, definition, platform }: Place): Json {
  const value = node.value as Json;
  const types = definition.settings[node.key];
  const to = `${name}: config.${node.key}`;
  if (types === undefined) {
    node.kept(`${to}. This kind of Weir does not read it`);
    return value;
  }
  node.mapped(to);
  if (!isObject(value) || types.includes('object') || !isByPlatform(value)) return value;
  const [first] = Object.keys(value);
  const chosen = Object.hasOwn(value, platform) ? platform : String(first);
  for (const one of node.items())
    if (!sameJson(one.value, value[chosen]))
      one.lost(`A destination of Weir has one value for all platforms, and ${to} is that of ${chosen}`);
  return value[chosen] ?? null;
}

const isByPlatform = (value: JsonObject): boolean => {
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => PLATFORMS.has(key.toLowerCase()));
};

function tellTemplates(node: Node, { name }: Place, into: Import): void {
  if (!TEMPLATE.test(JSON.stringify(node.value) ?? '')) return;
  node.kept(`${name}: config.${node.key}, as a text. Weir does not fill templates`);
  into.losses.push({
    what: `${name}: config.${node.key} holds a template`,
    events: 'Weir sends the text of the template, and not a value of the event. Set it in a transformation',
  });
}
