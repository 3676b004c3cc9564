import { describe, expect, it } from '@jest/globals';
import picocolors from 'picocolors';
import { annotations, junit, type Outcome, outcomesOf, reportText } from './report.js';

const OUTCOMES: Outcome[] = [
  { name: 'masks', test: 'loads', isPassed: true },
  {
    ...{ name: 'a & b', test: 'keeps <all>', isPassed: false, message: 'first\n   second: 100%' },
    ...{ path: 'transformations/a,b.js', line: 2, milliseconds: 1_500 },
  },
];

it('the outcome of a library that does not parse has the line', () => {
  const library = { id: 'l', name: 'money', handleName: 'money', versionId: 'v', pass: false };
  const file = { kind: 'libraries' as const, name: 'money', description: '', code: '', path: 'libraries/money.js' };
  const message = "SyntaxError: Unexpected token '=' [money:2:14]";
  expect(outcomesOf({ libraries: [{ ...library, message }], transformations: [] }, [file])).toEqual([
    { name: 'money', test: 'loads', isPassed: false, message, line: 2, path: 'libraries/money.js' },
  ]);
});

describe('a report', () => {
  it('is read by people', () => {
    expect(reportText(OUTCOMES, picocolors.createColors(false))).toBe(
      [
        '✓ masks: loads',
        '✗ a & b: keeps <all> 1500 ms',
        '    first second: 100% (transformations/a,b.js:2)',
        '1 passed, 1 failed',
      ].join('\n'),
    );
  });

  it('annotates lines in GitHub Actions, whose signs it escapes', () => {
    expect(annotations(OUTCOMES)).toEqual([
      '::error file=transformations/a%2Cb.js,line=2,title=a & b%3A keeps <all>::first%0A   second: 100%25',
    ]);
  });

  it('is XML for JUnit, a suite for each name', () => {
    expect(junit(OUTCOMES).split('\n')).toEqual([
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites name="weir">',
      '  <testsuite name="masks" tests="1" failures="0">',
      '    <testcase classname="masks" name="loads" time="0"/>',
      '  </testsuite>',
      '  <testsuite name="a &amp; b" tests="1" failures="1">',
      '    <testcase classname="a &amp; b" name="keeps &lt;all&gt;" time="1.5" file="transformations/a,b.js"><failure message="first    second: 100%"/></testcase>',
      '  </testsuite>',
      '</testsuites>',
      '',
    ]);
  });
});
