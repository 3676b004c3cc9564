/** Ends a run with one line that any tool can read, `N passed, N failed, N skipped`. */
export default class PlainReporter {
  /** The teardown of the end-to-end tests reads this flag, and then shows the logs of the processes. */
  onTestResult(_test, { numFailingTests, testExecError }) {
    if (numFailingTests > 0 || testExecError) globalThis.weirTestFailed = true;
  }

  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    process.on('exit', () => {
      process.stdout.write(`${results.numPassedTests} passed, ${failed} failed, ${skipped} skipped\n`);
    });
  }
}
