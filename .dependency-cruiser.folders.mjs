// The rule about folders, in a configuration of its own: tests may look anywhere, and here they do not count.
import base from './.dependency-cruiser.mjs';

const TESTS = '\\.spec\\.tsx?$|-spec\\.ts$|/test/';

export default {
  forbidden: [
    {
      name: 'no-circular-folders',
      comment: 'two folders that need each other are one subject in two places',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: { ...base.options, exclude: { path: `${base.options.exclude.path}|${TESTS}` } },
};
