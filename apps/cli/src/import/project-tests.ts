import { fits, TESTS_MAX, type TestCase } from '../project/code-files.js';
import { isObject, type JsonObject } from '../project/json.js';
import type { Node } from './ledger.js';
import type { Document, JsonFile } from './project-files.js';

/**
 * The tests of a transformation. Each names a folder of events, and one of results: files of the same name belong together, and an
 * event without a result only has to run.
 */
export function testsOf(spec: Node, filesIn: Document['filesIn'], place: string): TestCase[] {
  const all: TestCase[] = [];
  for (const node of spec.at('tests').items()) {
    const read = testsOfOne(node, filesIn);
    if (typeof read === 'string') node.lost(read);
    else if (!fits([...all, ...read]))
      node.lost(`Weir keeps at most ${TESTS_MAX} tests of a transformation, of a bounded size`);
    else {
      all.push(...read);
      for (const key of ['name', 'input', 'output']) node.at(key).mapped(`${place}: tests`);
    }
  }
  return all;
}

/** Its tests, or why there are none. */
function testsOfOne(node: Node, filesIn: Document['filesIn']): TestCase[] | string {
  const [name = 'test', input, output] = ['name', 'input', 'output'].map((key) => node.at(key).text);
  const inputs = input === undefined ? [] : filesIn(input);
  if (inputs.length === 0) return 'Its folder has no JSON files of events';
  const results = new Map((output === undefined ? [] : filesIn(output)).map((file) => [file.name, file]));
  const broken = [
    ...inputs.filter((file) => !eventsIn(file)),
    ...inputs.flatMap((file) => unreadable(results.get(file.name))),
  ];
  if (broken[0]) return `${broken[0].name} holds no events`;
  return inputs.map((file) => {
    const expected = results.get(file.name)?.json;
    return {
      name: inputs.length === 1 ? name : `${name}: ${file.name.replace(/\.json$/, '')}`,
      input: eventsIn(file) ?? [],
      ...(expected !== undefined && { expectedOutput: [expected].flat() }),
    };
  });
}

/** Undefined if it holds something else. */
function eventsIn({ json }: JsonFile): JsonObject[] | undefined {
  const events = [json].flat();
  return events.every(isObject) ? events : undefined;
}

const unreadable = (file: JsonFile | undefined): JsonFile[] => (file && file.json === undefined ? [file] : []);
