import { addVariable } from '../../project/files.js';
import { envReference, variableName } from '../../project/references.js';
import type { Import } from '../import.js';
import type { Node } from '../ledger.js';

/** Segment answers the end of a secret only, behind bullets. */
export const isMasked = (value: unknown): boolean => typeof value === 'string' && /^•/.test(value);

/** A reference to a new variable whose value nobody told. `weir plan` asks for it. */
export function unknownSecret(node: Node, words: string[], place: string, into: Import): string {
  const name = addVariable(into.project, variableName(...words), place);
  node.lost(`Segment does not tell secrets. Set the variable ${name}`);
  return envReference(name);
}
