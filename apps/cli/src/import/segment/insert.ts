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
const CREDENTIAL_KEY = /[^\w.-]/g;

/** Writes the transformation of one instance, which has settings of its own. Returns its name. */
export function importInsert(node: Node, instance: Node, destination: string, into: Import): string {
  const title = node.at('displayName').text ?? 'unnamed';
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
