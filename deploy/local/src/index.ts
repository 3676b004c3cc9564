export { type CliOptions, runCli } from './cli.js';
export { launch } from './launcher.js';
export { residentBytes } from './memory.js';
export { DEFAULT_APPS_DIR, type LaunchOptions, type Way } from './options.js';
export { LocalStack, type ProgramInfo, type ProgramName, type StackAddress } from './stack.js';
export { launchStack, removeStack, sharedStack, shareStack, type TestStackOptions, useStack } from './test-stack.js';
