import type { Code, Import } from './import.js';
import type { Node } from './ledger.js';

const FOLDER = { transformation: 'transformations', library: 'libraries' } as const;
const ONLY_JAVASCRIPT = 'Weir runs JavaScript only';
export const NO_SETTINGS = 'Code in Weir has no settings of its own';
const NOT_FOUND = 'The export has no code: pass --api-url and --token-from-env, or --project';

/** Names of code that was imported already, by revision. */
const imported = new WeakMap<Import, Map<string, string>>();

/** Adds the code that a node names by its `versionId`. Resolves with its name, or undefined if Weir cannot have it. */
export async function importCodeOf(
  node: Node,
  kind: 'transformation' | 'library',
  into: Import,
): Promise<string | undefined> {
  const versionId = node.at('versionId').text;
  const code = versionId === undefined ? undefined : await lookUp(node, kind, versionId, into);
  if (versionId === undefined || code?.language !== 'javascript') {
    node.lost(code ? ONLY_JAVASCRIPT : NOT_FOUND);
    return undefined;
  }
  const names = imported.get(into) ?? new Map<string, string>();
  imported.set(into, names);
  const name = names.get(`${kind}/${versionId}`) ?? addCode(kind, code, into);
  names.set(`${kind}/${versionId}`, name);
  const to = `${kind} "${name}"`;
  node.at('versionId').mapped(to);
  node.at('id').mapped(to);
  node.at('config').lost(NO_SETTINGS);
  return name;
}

function lookUp(node: Node, kind: 'transformation' | 'library', versionId: string, { code }: Import) {
  return kind === 'library' ? code.library(versionId) : code.transformation(node.at('id').text, versionId);
}

/** The same code under the same name is there once: the API and project files may both have it. */
export function addCode(
  kind: 'transformation' | 'library',
  { name, description, code, tests }: Code,
  into: Import,
): string {
  const same = into.project[FOLDER[kind]].find((one) => one.name === name && one.code === code);
  if (same && tests) same.tests = tests;
  if (same) return name;
  const free = into.freeName(FOLDER[kind], name);
  into.project[FOLDER[kind]].push({ name: free, description, code, ...(tests && { tests }) });
  return free;
}
