import { addCode } from '../code.js';
import type { Import } from '../import.js';
import type { Node } from '../ledger.js';
import { isMasked, unknownSecret } from './secrets.js';
import { type Setting, wrapped } from './wrapper.js';

const WEIR_IDS = 'Weir makes ids of its own. Files refer to resources by name';
const LOST = {
  ...{ id: WEIR_IDS, workspaceId: 'The access token decides the workspace', catalogId: WEIR_IDS },
  ...{
    logoUrl: 'Code of Weir has no picture',
    previewWebhookUrl: 'Weir has no previews',
    buildpack: 'Weir has one runtime',
  },
  ...{ createdAt: 'Weir keeps times of its own', createdBy: 'Weir keeps its own audit trail' },
  ...{ deployedAt: 'Weir keeps times of its own', isLatestVersion: 'The file is the version' },
  batchMaxCount: 'The code gets one event at a time',
};
const INSTANCE = {
  ...{ id: WEIR_IDS, createdAt: 'Weir keeps times of its own', updatedAt: 'Weir keeps times of its own' },
  encryptedSettings: 'Segment does not tell secrets',
};
/** Kinds of functions that have no counterpart, with what to do instead. */
const OTHERS: Readonly<Record<string, string>> = {
  SOURCE: 'It turns requests into events. A source of the type webhook takes them, with a transformation behind it',
  INSERT_SOURCE: 'It changes events of one source. A transformation belongs to a destination',
  DESTINATION:
    'It sends events itself. A transformation returns them: rewrite it, and let a WEBHOOK or HTTP destination send',
};
const CREDENTIAL_KEY = /[^\w.-]/g;

/** Insert functions become transformations, each wrapped into the shape that Weir calls. */
export interface Functions {
  /** Name of the code that stands before a destination. Undefined if there is none. */
  transformationOf(destinationId: string, destination: string): string | undefined;
  /** Tells of functions that stand before no destination. */
  tellUnused(): void;
}

export function importFunctions(functions: readonly Node[], instances: readonly Node[], into: Import): Functions {
  const inserts = new Map<string, Node>();
  for (const node of functions) {
    const [type, id] = [node.at('resourceType').text ?? '', node.at('id').text];
    const name = node.at('displayName').text ?? 'unnamed';
    if (type === 'INSERT_DESTINATION' && id !== undefined && node.at('code').text !== undefined) inserts.set(id, node);
    else tellOther(node, name, type, into);
  }
  for (const one of instances) one.lost('It names no destination and function that are here');
  const used = new Set<Node>();
  return {
    transformationOf(destinationId, destination) {
      const isOf = (one: Node) => [one.at('integrationId').text, one.at('destinationId').text].includes(destinationId);
      const found = instances.find((one) => isOf(one) && inserts.has(functionIdOf(one)));
      const code = found && inserts.get(functionIdOf(found));
      if (!found || !code) return undefined;
      used.add(code);
      return importInsert(code, found, destination, into);
    },
    tellUnused() {
      for (const node of inserts.values())
        if (!used.has(node)) node.lost('It stands before no destination that is here');
    },
  };
}

const functionIdOf = (instance: Node): string => instance.at('classId').text ?? instance.at('functionId').text ?? '';

function tellOther(node: Node, name: string, type: string, into: Import): void {
  const why = OTHERS[type] ?? `Weir does not know functions of the type ${type}`;
  node.lost(why);
  into.losses.push({ what: `function "${name}" (${type})`, events: why });
}

/** The transformation of one destination. An instance that is off lets events pass, so it stands nowhere. */
function importInsert(node: Node, instance: Node, destination: string, into: Import): string | undefined {
  const title = node.at('displayName').text ?? 'unnamed';
  if (!instance.at('enabled').isOn) {
    for (const one of [instance, node]) one.lost('It is off, so the destination gets events as they are');
    return undefined;
  }
  const place = `transformation "${title}" of destination "${destination}"`;
  for (const [one, reasons] of [
    [node, LOST],
    [instance, INSTANCE],
  ] as const)
    one.lostAll(reasons);
  for (const key of ['integrationId', 'destinationId', 'classId', 'functionId', 'name', 'enabled'])
    instance.at(key).mapped(place);
  for (const key of ['displayName', 'description', 'code', 'resourceType']) node.at(key).mapped(place);
  const settings = settingsOf(node.at('settings'), instance.at('settings'), place, into);
  const code = wrapped(node.at('code').text ?? '', settings);
  if (/\bonBatch\b/.test(code))
    into.losses.push({ what: `${place}: onBatch`, events: 'They go through the handlers one by one' });
  return addCode(
    'transformation',
    { name: title, description: node.at('description').text ?? '', code, language: 'javascript' },
    into,
  );
}

/** Plain settings are written into the code. Secret ones become credentials, which code asks for. */
function settingsOf(declared: Node, values: Node, place: string, into: Import): Setting[] {
  const isSecret = new Map(
    declared.items().map((one) => [one.at('name').text ?? '', one.at('sensitive').value === true]),
  );
  declared.kept(`${place}: settings, in its code`);
  values.lost('The function declares no such setting');
  return [...isSecret].map(([name, secret]): Setting => {
    const node = values.at(name);
    if (!secret && !isMasked(node.value)) {
      node.mapped(`${place}: settings.${name}, in its code`);
      return { name, value: node.value };
    }
    const key = credentialFor(name, into);
    const value = isMasked(node.value) || node.text === undefined ? undefined : node.mapped(`credential "${key}"`).text;
    const reference =
      value === undefined
        ? unknownSecret(node, [key], `credential "${key}"`, into)
        : into.secret(value, `credential "${key}"`, key);
    into.project.credentials.push({ key, value: reference });
    return { name, credential: key };
  });
}

function credentialFor(name: string, into: Import): string {
  const base = name.replace(CREDENTIAL_KEY, '_').slice(0, 120) || 'setting';
  const isTaken = (key: string) => into.project.credentials.some((one) => one.key === key);
  for (let number = 1; ; number++) {
    const key = number === 1 ? base : `${base}_${number}`;
    if (!isTaken(key)) return key;
  }
}
