/** Closes a run with one line that any tool can read, `N passed, N failed, N skipped`, and names what needed two tries. */
export default class PlainReporter {
  /** Read by the tear-down of the end-to-end tests, which then shows what the processes logged. */
  onTestResult(_test, { numFailingTests, testExecError }) {
    if (numFailingTests > 0 || testExecError) globalThis.weirTestFailed = true;
  }

  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    const twice = namesOfSecondTries(results);
    process.on('exit', () => {
      for (const name of twice) process.stdout.write(`passed only at the second try: ${name}\n`);
      process.stdout.write(`${results.numPassedTests} passed, ${failed} failed, ${skipped} skipped\n`);
    });
  }
}

function namesOfSecondTries({ testResults }) {
  return testResults.flatMap(({ testFilePath, testResults: tests }) =>
    tests
      .filter(({ status, invocations }) => status === 'passed' && invocations > 1)
      .map(({ fullName }) => `${testFilePath}: ${fullName}`),
  );
}
