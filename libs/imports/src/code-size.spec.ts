import { expect, it } from '@jest/globals';
import { BUNDLE_BYTES_MAX, CODE_BYTES_MAX } from '@weir/contracts';
import { bundleSizeProblem, codeSizeProblem } from './code-size.js';

it('code is counted as JSON, up to its limit', () => {
  expect(codeSizeProblem('c'.repeat(CODE_BYTES_MAX - 2))).toBeUndefined();
  const problem = `code takes ${CODE_BYTES_MAX + 2} bytes as JSON: shorten it to ${CODE_BYTES_MAX}, or move parts to a library`;
  expect(codeSizeProblem('"'.repeat(CODE_BYTES_MAX / 2))).toBe(problem);
});

it('a bundle is counted with its libraries', () => {
  const bundleOf = (code: string) => ({ name: 'mask', code: '', libraries: [{ importName: 'rates', code }] });
  const room = BUNDLE_BYTES_MAX - JSON.stringify(bundleOf('')).length;
  expect(bundleSizeProblem(bundleOf('c'.repeat(room)))).toBeUndefined();
  expect(bundleSizeProblem(bundleOf('c'.repeat(room + 1)))).toBe(
    `mask with the libraries that it reaches takes ${BUNDLE_BYTES_MAX + 1} bytes as JSON: shorten them to ${BUNDLE_BYTES_MAX}`,
  );
});
