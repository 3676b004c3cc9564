import type {
  AssignmentExpression,
  BinaryExpression,
  Identifier,
  Literal,
  MemberExpression,
  Node,
  Pattern,
} from 'estree';
import { CHANGEABLE, NAMED } from './builtins.js';
import { callOf, constructionOf, taggedCallOf } from './calls.js';
import { type Context, REASONS } from './context.js';
import { listLiteral, tableLiteral } from './literals.js';
import { iterate, nameIn, readFrom } from './members.js';
import { exportOf } from './modules.js';
import { bind } from './patterns.js';
import type { FunctionNode } from './routine.js';
import { BUILTIN, isKept, isPlain, join, OPAQUE, PLAIN, type Value } from './values.js';

/** Evaluates an expression. Reports its effects that may outlive the run. */
export function evaluate(node: Node, at: Context): Value {
  switch (node.type) {
    case 'Literal':
      return literal(node, at);
    case 'Identifier':
      return named(node, at);
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return functionOf(node, at);
    case 'MemberExpression':
      return member(node, at);
    case 'CallExpression':
      return callOf(node, at);
    case 'NewExpression':
      return constructionOf(node, at);
    case 'TaggedTemplateExpression':
      return taggedCallOf(node, at);
    case 'ArrayExpression':
      return listLiteral(node, at);
    case 'ObjectExpression':
      return tableLiteral(node, at);
    case 'AssignmentExpression':
      return assignment(node, at);
    case 'BinaryExpression':
      return binary(node, at);
    case 'TemplateLiteral':
      for (const each of node.expressions) at.evaluate(each);
      return PLAIN;
    case 'UnaryExpression':
      return unary(node.operator, node.argument, at);
    case 'UpdateExpression':
      bind(node.argument as Pattern, PLAIN, at);
      return PLAIN;
    case 'LogicalExpression':
      return join(at.evaluate(node.left), at.evaluate(node.right));
    case 'ConditionalExpression':
      at.evaluate(node.test);
      return join(at.evaluate(node.consequent), at.evaluate(node.alternate));
    case 'SequenceExpression':
      return node.expressions.map((each) => at.evaluate(each)).at(-1) ?? PLAIN;
    case 'ChainExpression':
      return at.evaluate(node.expression);
    case 'MetaProperty':
      at.problem(node, REASONS.unknown, `${node.meta.name}.${node.property.name}`);
      return PLAIN;
    case 'AwaitExpression':
      return awaited(node.argument, at);
    case 'YieldExpression':
      if (node.argument) yielded(node.argument, node.delegate, at);
      return at.anything;
    default:
      at.problem(node, REASONS.unknown, SHOWN[node.type]);
      return PLAIN;
  }
}

/** How authors call what is not followed. */
const SHOWN: Partial<Record<Node['type'], string>> = {
  ClassExpression: 'class',
  ThisExpression: 'this',
  ImportExpression: 'import()',
};

/** A regular expression in a function is made anew each time. */
function literal(node: Literal, at: Context): Value {
  if (!('regex' in node)) return PLAIN;
  const { flags } = node.regex;
  return at.isTop ? { kind: 'regex', isSteady: !/[gy]/.test(flags), isSticky: flags.includes('y') } : at.anything;
}

const CONSTANTS = new Set(['undefined', 'NaN', 'Infinity']);

function named(node: Identifier, at: Context): Value {
  const variable = at.variableOf(node);
  if (node.name !== 'arguments' && variable) return at.valueOf(variable);
  if (at.runsAtLoad && CHANGEABLE.has(node.name)) at.problem(node, REASONS.atLoad);
  if (!NAMED.has(node.name)) at.problem(node, REASONS.unknown);
  return CONSTANTS.has(node.name) ? PLAIN : BUILTIN;
}

/** A function of its own each time, except at the top level. */
export function functionOf(node: FunctionNode, at: Context): Value {
  const value: Value = { kind: at.isTop ? 'code' : 'own', routine: at.state.routineOf(node, at.source) };
  const variable = 'id' in node && node.id ? at.variableOf(node.id) : undefined;
  if (variable) at.state.widen(variable, value);
  return value;
}

function member(node: MemberExpression, at: Context): Value {
  const { object, property, computed } = node;
  if (object.type === 'Super') return evaluate(object, at);
  const base = at.evaluate(object);
  const name = nameIn(property, computed, at);
  if (object.type === 'Identifier' && !at.variableOf(object)) {
    if (at.runsAtLoad && (CHANGEABLE.has(`${object.name}.${name}`) || name === undefined)) {
      at.problem(node, REASONS.atLoad);
    }
    if (object.name === 'RegExp') at.problem(node, REASONS.unknown);
    return BUILTIN;
  }
  if (base.kind === 'module') return exportOf(base.importName, name, at.state) ?? OPAQUE;
  return readFrom(base, name, at);
}

function assignment({ operator, left, right }: AssignmentExpression, at: Context): Value {
  const given = at.evaluate(right);
  const isLogical = operator === '&&=' || operator === '||=' || operator === '??=';
  const value = operator === '=' || isLogical ? given : PLAIN;
  bind(left, value, at, right);
  if (!isLogical) return value;
  return join(at.evaluate(left), value);
}

/** `instanceof` may call a method of its right side with the left one. */
function binary({ operator, left, right }: BinaryExpression, at: Context): Value {
  if (left.type === 'PrivateIdentifier') {
    at.problem(left, REASONS.unknown);
    return PLAIN;
  }
  const asked = at.evaluate(left);
  const type = at.evaluate(right);
  if (operator === 'instanceof' && isKept(asked) && !isPlain(type)) at.problem(left, REASONS.passedOn);
  return PLAIN;
}

function unary(operator: string, argument: Node, at: Context): Value {
  if (operator === 'typeof' && argument.type === 'Identifier' && !at.variableOf(argument)) return PLAIN;
  const target = argument.type === 'ChainExpression' ? argument.expression : argument;
  if (operator === 'delete' && target.type === 'MemberExpression') bind(target, PLAIN, at);
  else at.evaluate(argument);
  return PLAIN;
}

function awaited(argument: Node, at: Context): Value {
  if (at.isTop) at.problem(argument, REASONS.atLoad, 'await');
  const value = at.evaluate(argument);
  if (value.kind === 'own') at.contain(value, argument);
  return isKept(value) || isPlain(value) ? value : at.anything;
}

function yielded(argument: Node, isDelegate: boolean, at: Context): void {
  const value = at.evaluate(argument);
  at.contain(isDelegate ? iterate(value, argument, at) : value, argument);
}
