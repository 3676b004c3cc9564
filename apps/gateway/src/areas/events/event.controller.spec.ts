import { describe, expect, it } from '@jest/globals';
import type { EventTrace, TraceStep } from '@weir/contracts';
import { shownTrace } from './event.controller.js';

const step: TraceStep = {
  ...{ at: '2026-01-01T00:00:00.000Z', step: 'delivered', attempt: 1, responseStatus: 200 },
  code: {
    ...{ result: 'changed', versionId: '0ujzPyRiIAffKhBux4PvQdDqMHY' },
    changes: [
      { op: 'replace', path: '/properties/price', from: 1, to: 2 },
      { op: 'add', path: '/context/apiKey', to: 'hush' },
      { op: 'add', path: '/context/login', to: { password: 'hush', name: 'ada' } },
    ],
  },
  payloads: [{ body: { JSON: { token: 'hush', userId: 'ada' } } }],
};
const trace: EventTrace = {
  ...{ sourceId: '0ujzPyRiIAffKhBux4PvQdDqMHY', status: 'routed', sampling: { share: 1, keptDays: 7 }, notKept: [] },
  destinations: [{ destinationId: '0ujzPyRiIAffKhBux4PvQdDqMHY', status: 'delivered', steps: [step] }],
};
const stepFor = (role: Parameters<typeof shownTrace>[0]) => shownTrace(role, trace).destinations[0]?.steps[0];

describe('shownTrace', () => {
  it.each(['read-only', 'read-write'] as const)('shows %s tokens what changed, and no values', (role) => {
    const shown = stepFor(role);
    expect(shown).not.toHaveProperty('payloads');
    expect(shown?.code?.changes).toEqual([
      { op: 'replace', path: '/properties/price' },
      { op: 'add', path: '/context/apiKey' },
      { op: 'add', path: '/context/login' },
    ]);
    expect(shown).toMatchObject({ step: 'delivered', responseStatus: 200 });
  });

  it('shows admin tokens values and payloads, with likely secrets masked', () => {
    const shown = stepFor('admin');
    expect(shown?.code?.changes).toEqual([
      { op: 'replace', path: '/properties/price', from: 1, to: 2 },
      { op: 'add', path: '/context/apiKey', to: '***' },
      { op: 'add', path: '/context/login', to: { password: '***', name: 'ada' } },
    ]);
    expect(shown?.payloads).toEqual([{ body: { JSON: { token: '***', userId: 'ada' } } }]);
  });
});
