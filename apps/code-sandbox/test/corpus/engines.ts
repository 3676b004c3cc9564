/** An engine that user code may meet. V8's patches within a line mend faults and change no behaviour. */
export interface Engine {
  /** V8's line, such as `13.6`. It is that of Node.js. */
  v8: string;
  isolatedVm: string;
}

/**
 * The engines that passed the corpus and the fuzzer. To add one, run both with it:
 * `WEIR_TEST_FULL=1 npm run -s jest -- --selectProjects soak -- apps/code-sandbox`
 */
export const ENGINES: readonly Engine[] = [{ v8: '13.6', isolatedVm: '7.0.1' }];
