import type { Variable } from 'eslint-scope';
import type { ExportNamedDeclaration, ExportSpecifier, Identifier, ImportDeclaration, Literal } from 'estree';
import type { ModuleSource } from './source.js';
import type { State } from './state.js';
import { OPAQUE, type Value } from './values.js';

/** Re-exports that lead further than this are not followed. */
const HOPS_MAX = 10;

/** The value behind an imported variable. Absent if it is not an import. */
export function importedBy({ defs }: Variable, state: State): Value | undefined {
  const [definition] = defs;
  if (definition?.type !== 'ImportBinding') return undefined;
  const { source } = definition.parent as ImportDeclaration;
  const importName = String(source.value);
  if (definition.node.type === 'ImportNamespaceSpecifier') return { kind: 'module', importName };
  const name = definition.node.type === 'ImportSpecifier' ? nameOf(definition.node.imported) : 'default';
  return exportOf(importName, name, state) ?? OPAQUE;
}

/** A library's export under a name. Absent if that is not found. */
export function exportOf(importName: string, name: string | undefined, state: State, hops = 0): Value | undefined {
  const source = state.moduleOf(importName);
  if (!source || name === undefined || hops > HOPS_MAX) return undefined;
  return exportIn(source, name, state, hops);
}

/** The module's own export under a name. */
export function exportIn(source: ModuleSource, name: string, state: State, hops = 0): Value | undefined {
  for (const node of source.program.body) {
    if (node.type === 'ExportDefaultDeclaration' && name === 'default') return state.valueOf(source);
    if (node.type === 'ExportNamedDeclaration') {
      const found = namedIn(node, name, source, state, hops);
      if (found) return found;
    }
  }
  for (const node of source.program.body) {
    if (node.type !== 'ExportAllDeclaration') continue;
    const importName = String(node.source.value);
    if (node.exported) {
      if (nameOf(node.exported) === name) return { kind: 'module', importName };
      continue;
    }
    const found = exportOf(importName, name, state, hops + 1);
    if (found && name !== 'default') return found;
  }
  return undefined;
}

function namedIn(
  node: ExportNamedDeclaration,
  name: string,
  source: ModuleSource,
  state: State,
  hops: number,
): Value | undefined {
  const specifier = node.specifiers.find(({ exported }) => nameOf(exported) === name);
  if (specifier && node.source) return exportOf(String(node.source.value), nameOf(specifier.local), state, hops + 1);
  if (specifier) return localValue(specifier, source, state);
  if (!node.declaration) return undefined;
  for (const [identifier, variable] of source.variables) {
    const isDeclaredThere = variable.defs.some((each) => (each.parent ?? each.node) === node.declaration);
    if (identifier.name === name && isDeclaredThere) return state.valueOf(variable);
  }
  return undefined;
}

function localValue({ local }: ExportSpecifier, source: ModuleSource, state: State): Value | undefined {
  const variable = local.type === 'Identifier' ? source.variables.get(local) : undefined;
  return variable && (importedBy(variable, state) ?? state.valueOf(variable));
}

const nameOf = (node: Identifier | Literal): string => (node.type === 'Identifier' ? node.name : String(node.value));
