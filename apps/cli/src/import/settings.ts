import { withReferences } from '../project/export.js';
import { isObject, type Json, type JsonObject, sameJson } from '../project/json.js';
import { hasReference, literal } from '../project/references.js';
import type { Definition, Import } from './import.js';
import type { Node } from './ledger.js';
import { secretPaths } from './secret-paths.js';
import { renamed, type SettingForm } from './setting-form.js';

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
  /** Platform of the source that it is connected to. Undefined without one. */
  platform: string | undefined;
  form: SettingForm;
}

/** Settings of a destination. Secrets become references, and each key is accounted for. */
export function settingsOf(nodes: readonly Node[], place: Place, into: Import): JsonObject {
  const { form } = place;
  const settings: JsonObject = {};
  const secretKeys = new Set(place.definition.secretKeys);
  for (const node of nodes)
    for (const setting of node.items()) {
      const key = form.nameOf(setting.key, place.definition);
      settings[key] = renamed(chosenValue(setting, key, place), form);
      if (node.key.toLowerCase() === 'secretconfig') secretKeys.add(key);
      if (place.definition.settings[key] === undefined)
        for (const path of secretPaths({ [key]: settings[key] ?? null })) secretKeys.add(path);
      tellTemplates(setting, key, place, into);
    }
  const refer = (path: string[], value: Json) => {
    if (form.hasReferences && typeof value === 'string' && hasReference(value)) return value;
    return into.secret(value, `${place.name}: ${path.join('.')}`, place.title, ...path);
  };
  return withReferences(settings, [...secretKeys], refer, form.hasReferences ? (text) => text : literal);
}

function chosenValue(node: Node, key: string, { name, definition, platform, form }: Place): Json {
  const value = node.value as Json;
  const types = definition.settings[key];
  const to = `${name}: config.${key}`;
  if (types === undefined) {
    node.kept(`${to}. This kind of Weir does not read it`);
    return value;
  }
  node.mapped(to);
  const items = node.items();
  const platformIn = (one: Node) => form.innerNameOf(one.key).toLowerCase();
  const isByPlatform = items.every((one) => PLATFORMS.has(platformIn(one)));
  const chosen = items.find((one) => platformIn(one) === platform) ?? items[0];
  if (!isObject(value) || types.includes('object') || !isByPlatform || !chosen) return value;
  for (const one of items)
    if (!sameJson(one.value, chosen.value))
      one.lost(`A destination of Weir has one value for all platforms, and ${to} is that of ${chosen.key}`);
  return chosen.value as Json;
}

/** The platform of a source of project files, whose types are `javascript`, `android`, `http` and the like. */
export function platformOf(type: string): string {
  const platform = type === 'javascript' ? 'web' : type.toLowerCase().replaceAll(/[^a-z]/g, '');
  return PLATFORMS.has(platform) ? platform : 'cloud';
}

function tellTemplates(node: Node, key: string, { name }: Place, into: Import): void {
  if (!TEMPLATE.test(JSON.stringify(node.value) ?? '')) return;
  node.kept(`${name}: config.${key}, as a text. Weir does not fill templates`);
  into.losses.push({
    what: `${name}: config.${key} holds a template`,
    events: 'Weir sends the text of the template, and not a value of the event. Set it in a transformation',
  });
}
