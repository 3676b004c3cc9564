import Sequencer from '@jest/test-sequencer';

/** Kinds of tests by the time of a file, longest first. The last files of a run then leave no worker idle for long. */
const KINDS = [/\.soak-spec\./, /\.e2e-spec\./, /\.int-spec\./];
/** The files that take longest, in this order: they start many programs, wait for leases, or go over all kinds. */
const LONGEST = [
  ...[
    /console-screens/,
    /console-outage/,
    /go-client/,
    /console\.long/,
    /apply-kills/,
    /console-states/,
    /config-as-code/,
  ],
  ...[/local-stack\/npm-start/, /partition-consumers/, /delivery-concurrency/, /publishing/, /written-code/],
  ...[/\/delivery\.int-/, /fair-intake/, /eraser\.int-/, /hostile-events/, /every-kind-properties/],
];

const rank = (order, path) => {
  const found = order.findIndex((pattern) => pattern.test(path));
  return found < 0 ? order.length : found;
};

/** Runs the longest files first. Jest knows their times from its cache, which a fresh clone does not have. */
export default class extends Sequencer {
  sort(tests) {
    const before = (a, b) => rank(LONGEST, a) - rank(LONGEST, b) || rank(KINDS, a) - rank(KINDS, b);
    return [...super.sort(tests)].sort((a, b) => before(a.path, b.path));
  }
}
