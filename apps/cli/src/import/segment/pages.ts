import type { Node } from '../ledger.js';
import { functionIdOf, type Rest } from './functions.js';

const LISTS = ['sources', 'destinations', 'functions', 'insertFunctionInstances', 'instances'];

/** The rest of a list behind a page of it. */
export function restBehind(page: Node, all: readonly Node[]): Rest {
  const next = page.at('pagination').at('next').text;
  if (next === undefined) return 'none';
  const list = listOf(page);
  const isNext = (one: Node) => one.at('pagination').at('current').text === next && listOf(one) === list;
  return all.some((one) => one !== page && isNext(one)) ? 'here' : 'missing';
}

/** Pages of different lists have the same marks. One request tells functions of one type, or instances of one function. */
function listOf(page: Node): string {
  const name = LISTS.find((one) => Array.isArray(page.at(one).value)) ?? '';
  const [first] = page.at(name).items();
  return JSON.stringify([name, first?.at('resourceType').text, first && functionIdOf(first)]);
}
