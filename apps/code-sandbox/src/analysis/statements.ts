import type {
  ExportDefaultDeclaration,
  ForInStatement,
  ForOfStatement,
  FunctionDeclaration,
  Node,
  Pattern,
  VariableDeclaration,
} from 'estree';
import { type Context, REASONS } from './context.js';
import { functionOf } from './expressions.js';
import { iterate } from './members.js';
import { bind } from './patterns.js';
import type { Routine } from './routine.js';
import { isKept, join, loosenAll, PLAIN, type Value } from './values.js';

/** Walks statements in any order that may occur, so it follows them one after the other. */
export function walk(node: Node | null | undefined, at: Context): void {
  if (!node) return;
  switch (node.type) {
    case 'Program':
    case 'BlockStatement':
      for (const each of node.body) walk(each, at);
      return;
    case 'ExpressionStatement':
      at.evaluate(node.expression);
      return;
    case 'VariableDeclaration':
      declare(node, at);
      return;
    case 'FunctionDeclaration':
      functionOf(node, at);
      return;
    case 'ReturnStatement':
      giveBack(node.argument, at);
      return;
    case 'ThrowStatement':
      at.contain(at.evaluate(node.argument), node.argument);
      return;
    case 'IfStatement':
      at.evaluate(node.test);
      walk(node.consequent, at);
      walk(node.alternate, at);
      return;
    case 'ForOfStatement':
    case 'ForInStatement':
      walkEach(node, at);
      return;
    case 'ForStatement':
      if (node.init?.type === 'VariableDeclaration') walk(node.init, at);
      else if (node.init) at.evaluate(node.init);
      for (const each of [node.test, node.update]) if (each) at.evaluate(each);
      walk(node.body, at);
      return;
    case 'WhileStatement':
    case 'DoWhileStatement':
      at.evaluate(node.test);
      walk(node.body, at);
      return;
    case 'SwitchStatement':
      at.evaluate(node.discriminant);
      for (const { test, consequent } of node.cases) {
        if (test) at.evaluate(test);
        for (const each of consequent) walk(each, at);
      }
      return;
    case 'TryStatement':
      walk(node.block, at);
      if (node.handler?.param) bind(node.handler.param, at.anything, at);
      walk(node.handler?.body, at);
      walk(node.finalizer, at);
      return;
    case 'LabeledStatement':
      walk(node.body, at);
      return;
    case 'ExportNamedDeclaration':
      walk(node.declaration, at);
      return;
    case 'ExportDefaultDeclaration':
      walkDefault(node, at);
      return;
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'EmptyStatement':
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
      return;
    default:
      at.problem(node, REASONS.unknown, node.type === 'ClassDeclaration' ? `class ${node.id?.name}` : undefined);
  }
}

function declare({ declarations }: VariableDeclaration, at: Context): void {
  for (const { id, init } of declarations) {
    if (init) bind(id, at.evaluate(init), at, init);
  }
}

function walkEach(node: ForOfStatement | ForInStatement, at: Context): void {
  const over = at.evaluate(node.right);
  const each = node.type === 'ForInStatement' ? PLAIN : iterate(over, node.right, at);
  if (at.isTop && node.type === 'ForOfStatement' && node.await) at.problem(node, REASONS.atLoad, 'await');
  if (node.left.type !== 'VariableDeclaration') bind(node.left, each, at, node.right);
  else for (const { id } of node.left.declarations) bind(id, each, at, node.right);
  walk(node.body, at);
}

function walkDefault({ declaration }: ExportDefaultDeclaration, at: Context): void {
  if (declaration.type === 'ClassDeclaration') {
    at.problem(declaration as Node, REASONS.unknown, 'class');
    return;
  }
  const isFunction = declaration.type === 'FunctionDeclaration';
  const value = isFunction ? functionOf(declaration as FunctionDeclaration, at) : at.evaluate(declaration);
  at.state.widen(at.source, at.settled(value));
}

function giveBack(argument: Node | null | undefined, at: Context): void {
  if (argument) give(at.evaluate(argument), argument, at);
}

/** Callers that nobody knows may get only what belongs to the run. */
function give(value: Value, node: Node, at: Context): void {
  const { routine } = at;
  if (!routine) return;
  if (routine.isLoose || routine.isWrapped) {
    if (value.kind === 'own') at.state.hideFunctions();
    if (isKept(value)) at.problem(node, REASONS.passedOn);
    loosenAll(value);
  }
  routine.give(value);
}

/** Walks a function with everything that its calls may pass. */
export function walkRoutine(routine: Routine, at: Context): void {
  const { params, body } = routine.node;
  const anything = routine.isLoose ? at.anything : PLAIN;
  for (const [index, parameter] of params.entries()) {
    if (parameter.type === 'RestElement') bindRest(routine, index, parameter.argument, at);
    else bind(parameter, join(routine.parameters[index] ?? PLAIN, anything), at);
  }
  if (body.type === 'BlockStatement') walk(body, at);
  else give(at.evaluate(body), body, at);
}

function bindRest(routine: Routine, from: number, target: Pattern, at: Context): void {
  for (const value of routine.parameters.slice(from)) at.contain(value, target);
  bind(target, at.anything, at);
}
