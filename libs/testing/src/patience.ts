/**
 * How long tests wait for a condition that is sure to come. A busy machine needs many times what a quiet one does, and a test that
 * passes waits no longer than it has to. The time of a whole test (`testTimeout` of jest.config.mjs) lies above it, so that a failure
 * names what was waited for.
 */
export const PATIENCE_MS = 120_000;
