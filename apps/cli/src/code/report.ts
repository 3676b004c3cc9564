import type { Schema } from '@weir/client';
import type { Colors } from '../core/output.js';
import { printable, unwrapped } from '../core/table.js';
import type { CodeFile } from './folder.js';

type Output = Schema<'ValidationOutput'>;

/** One line of a report: a library, or one test of a transformation. */
export interface Outcome {
  name: string;
  test: string;
  isPassed: boolean;
  message?: string;
  /** Where in the code it failed, counted from 1. */
  line?: number;
  path?: string;
  milliseconds?: number;
}

/** The server's report about a publish or a test, as a list. `files` give the paths. */
export function outcomesOf({ libraries, transformations }: Output, files: readonly CodeFile[]): Outcome[] {
  const pathOf = (kind: CodeFile['kind'], name: string) => {
    const path = files.find((file) => file.kind === kind && file.name === name)?.path;
    return path === undefined ? {} : { path };
  };
  const ofLibraries = libraries.map(({ name, pass, message }) => ({
    ...{ name, test: 'loads', isPassed: pass, ...pathOf('libraries', name) },
    ...(message !== undefined && !pass && { message, ...placeOf(message) }),
  }));
  const ofTransformations = transformations.flatMap(({ name, pass, message, testResult }) => {
    const path = pathOf('transformations', name);
    const outcomes = testResult.results.map((result) => ({ ...outcomeOf(name, result), ...path }));
    // Code that does not load has no results, and may fail for more than its tests.
    if (pass || outcomes.some(({ isPassed }) => !isPassed)) return outcomes;
    return [...outcomes, { name, test: 'loads', isPassed: false, message: message ?? 'It failed', ...path }];
  });
  return [...ofLibraries, ...ofTransformations];
}

/** The message about a library that does not parse ends with the place: `[money:2:9]`. */
function placeOf(message: string): { line?: number } {
  const line = Number(/:(\d+):\d+\]$/.exec(message)?.[1]);
  return line > 0 ? { line } : {};
}

type Result = Output['transformations'][number]['testResult']['results'][number];

function outcomeOf(name: string, { name: test, status, errors, actualOutput, durationMs }: Result): Outcome {
  const line = errors.find(({ frame }) => frame)?.frame?.line;
  const why = errors.map(({ message }) => message).join('; ') || `The output is ${JSON.stringify(actualOutput)}`;
  return {
    ...{ name, test, isPassed: status === 'pass' },
    ...(status !== 'pass' && { message: why }),
    ...(line !== undefined && { line }),
    ...(durationMs !== undefined && { milliseconds: durationMs }),
  };
}

export function reportText(outcomes: readonly Outcome[], { green, red, dim }: Colors): string {
  const lines = outcomes.map(({ name, test, isPassed, message = '', milliseconds, path, line }) => {
    const time = milliseconds === undefined ? '' : dim(` ${Math.round(milliseconds)} ms`);
    const place = path && line !== undefined ? ` (${path}:${line})` : '';
    const head = `${isPassed ? green('✓') : red('✗')} ${printable(name)}: ${printable(test)}${time}`;
    return isPassed ? head : `${head}\n    ${unwrapped(message)}${place}`;
  });
  const failed = outcomes.filter(({ isPassed }) => !isPassed).length;
  return [...lines, `${outcomes.length - failed} passed, ${failed} failed`].join('\n');
}

/** Annotations of GitHub Actions: they appear at the line of the code. */
export const annotations = (outcomes: readonly Outcome[]): string[] =>
  outcomes
    .filter(({ isPassed }) => !isPassed)
    .map(({ name, test, message = '', path, line }) => {
      const place = [path && `file=${property(path)}`, line !== undefined && `line=${line}`].filter(Boolean).join(',');
      return `::error ${place}${place && ','}title=${property(`${name}: ${test}`)}::${data(message)}`;
    });

const data = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** JUnit's XML, which CI systems show. */
export function junit(outcomes: readonly Outcome[]): string {
  const names = [...new Set(outcomes.map(({ name }) => name))];
  const lines = names.flatMap((name) => {
    const tests = outcomes.filter((one) => one.name === name);
    return [
      `  <testsuite name="${xml(name)}" tests="${tests.length}" failures="${tests.filter((one) => !one.isPassed).length}">`,
      ...tests.map(testcase),
      '  </testsuite>',
    ];
  });
  return ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites name="weir">', ...lines, '</testsuites>', ''].join(
    '\n',
  );
}

function testcase({ name, test, isPassed, message = '', milliseconds = 0, path }: Outcome): string {
  const file = path === undefined ? '' : ` file="${xml(path)}"`;
  const head = `    <testcase classname="${xml(name)}" name="${xml(test)}" time="${milliseconds / 1_000}"${file}`;
  return isPassed ? `${head}/>` : `${head}><failure message="${xml(message)}"/></testcase>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const xml = (text: string) => printable(text).replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
