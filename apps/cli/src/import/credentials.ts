import { literal } from '../project/references.js';
import type { Import } from './import.js';
import type { Node } from './ledger.js';

const KEY = /^[\w.-]{1,128}$/;

/** Credentials of user code, which reads them with `getCredential(key)` here as there. */
export function importCredentials(credentials: Node, into: Import): void {
  const seen = new Set<string>();
  for (const node of credentials.items()) {
    const key = node.at('key').text ?? node.key;
    const value = node.at('value').text;
    const isSecret = node.at('isSecret').isOn;
    if (!KEY.test(key) || value === undefined || value === '' || seen.has(key)) {
      node.lost('A key has 1 to 128 letters, digits, _, . and -, is there once, and has a text as its value');
      into.losses.push({ what: `credential "${key}"`, events: 'Code that asks for it gets nothing' });
      continue;
    }
    seen.add(key);
    const place = `credential "${key}"`;
    node.at('key').mapped(`${place}: key`);
    node.at('value').mapped(isSecret ? `${place}: value, as a variable in secrets.env` : `${place}: value`);
    node.at('isSecret').mapped(`${place}: secret`);
    const written = isSecret ? { value: into.secret(value, place, key) } : { value: literal(value), secret: false };
    into.project.credentials.push({ key, ...written });
  }
}
