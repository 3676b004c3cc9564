import type { CallExpression, MemberExpression, NewExpression, Node, TaggedTemplateExpression } from 'estree';
import { callRoutine, handOut, type Passed, passedBy } from './arguments.js';
import { type Context, REASONS } from './context.js';
import { callLanguage, constructLanguage } from './language-calls.js';
import { languageName } from './language-names.js';
import { nameIn } from './members.js';
import { callMethod } from './method-calls.js';
import { exportOf } from './modules.js';
import { DATA, isKept, isPlain, PLAIN, routineOf, type Value } from './values.js';

export function callOf(node: CallExpression, at: Context): Value {
  const callee = node.callee.type === 'ChainExpression' ? node.callee.expression : node.callee;
  if (callee.type === 'Super') {
    at.problem(callee, REASONS.unknown, 'super');
    return PLAIN;
  }
  const language = languageName(callee, at);
  if (language !== undefined) return callLanguage(language, node, passedBy(node, at), at);
  if (callee.type === 'MemberExpression') return callMember(callee, node, at);
  return callValue(at.evaluate(callee), node, passedBy(node, at), at);
}

export function constructionOf(node: NewExpression, at: Context): Value {
  const language = languageName(node.callee, at);
  const passed = passedBy(node, at);
  if (language !== undefined) return constructLanguage(language, node, passed, at);
  at.problem(node, REASONS.unknown);
  return PLAIN;
}

/** The tag gets the texts and what stands between them. */
export function taggedCallOf({ tag, quasi }: TaggedTemplateExpression, at: Context): Value {
  const values = quasi.expressions.map((node) => ({ node, value: at.evaluate(node), isSpread: false }));
  const passed = [{ node: quasi, value: DATA, isSpread: false }, ...values];
  const language = languageName(tag, at);
  return language === undefined
    ? callValue(at.evaluate(tag), tag, passed, at)
    : callLanguage(language, tag, passed, at);
}

function callMember(callee: MemberExpression, node: CallExpression, at: Context): Value {
  if (callee.object.type === 'Super') return at.evaluate(callee);
  const base = at.evaluate(callee.object);
  const name = nameIn(callee.property, callee.computed, at);
  const passed = passedBy(node, at);
  const imported = base.kind === 'module' ? exportOf(base.importName, name, at.state) : undefined;
  if (imported) return callValue(imported, node, passed, at);
  return callMethod({ base, name, callee, passed }, at);
}

export function callValue(callee: Value, node: Node, passed: readonly Passed[], at: Context): Value {
  const routine = routineOf(callee);
  if (routine) return callRoutine(routine, passed, at);
  if (isKept(callee) && callee.kind !== 'code') {
    at.problem(node, REASONS.unknown);
    return PLAIN;
  }
  if (at.runsAtLoad) at.state.callAnyAtLoad();
  if (at.runsAtLoad && isPlain(callee)) at.problem(node, REASONS.atLoad);
  handOut(passed, at);
  return at.anything;
}
