import { describe, expect, it } from '@jest/globals';
import { isAppError } from '@weir/contracts';
import { fittedResults } from './fitted-results.js';

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const element = (...answers: unknown[]) => ({
  dest_transformed_payload: [{ endpoint: 'https://example.com' }],
  destination_response: answers,
  destination_response_status: answers.map(() => 200),
});

describe('fittedResults', () => {
  it('leaves alone what fits', () => {
    const results = [element({ ok: true }, 'text')];
    expect(fittedResults(results, bytesOf(results))).toBe(results);
  });

  it.each([
    ['text', 'x'.repeat(5_000)],
    ['control characters, which JSON makes six times as long', '\u0001'.repeat(5_000)],
    ['characters of two halves', '😀'.repeat(2_000)],
    ['an object', { list: Array.from({ length: 1_000 }, (_, n) => ({ n })) }],
  ])('cuts long answers short: %s', (_, answer) => {
    const fitted = fittedResults([element(answer, 'short'), element(answer)], 2_000);
    expect(bytesOf(fitted)).toBeLessThanOrEqual(2_000);
    expect(fitted[0]?.destination_response).toEqual([expect.stringMatching(/./s), 'short']);
    expect(fitted.map(({ dest_transformed_payload: payload }) => payload)).toEqual([
      [{ endpoint: 'https://example.com' }],
      [{ endpoint: 'https://example.com' }],
    ]);
  });

  it.each([[[{ user_transformed_payload: { text: 'x'.repeat(3_000) } }]], [[element('a'.repeat(100))]]])(
    'says what to change when the payloads alone are too long',
    (results) => {
      let refusal: unknown;
      try {
        fittedResults(results, 50);
      } catch (error) {
        refusal = error;
      }
      expect(isAppError(refusal) && refusal.code).toBe('too_large');
    },
  );
});
