import { jest } from '@jest/globals';

/**
 * In CI only, a failed test against real processes runs once more on a machine that is shared with others; the first
 * failure is printed, and the closing report names the test (`tools/plain-reporter.mjs`): it is a bug to mend.
 */
if (process.env['CI']) jest.retryTimes(1, { logErrorsBeforeRetry: true });
