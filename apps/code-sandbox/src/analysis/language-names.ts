import type { Node } from 'estree';
import type { Context } from './context.js';

/** `Math.max` or `parseInt`, if the code means those of the language. */
export function languageName(callee: Node, at: Context): string | undefined {
  if (callee.type === 'Identifier') return at.variableOf(callee) ? undefined : callee.name;
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') return undefined;
  const object = languageName(callee.object, at);
  return object === undefined ? undefined : `${object}.${callee.property.name}`;
}
