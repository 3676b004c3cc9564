/** Wall clock of one run, all events together: loading, calling and writing results (the peers' figure). */
export const RUN_LIMIT_MS = 4_000;
/** The limit inside the isolate is not trusted alone: a child that runs on for so long is killed. */
export const KILL_GRACE_MS = 800;
/** Hard cap per isolate. V8 may overshoot by 2-3x before it notices. */
export const MEMORY_MB = 128;
/** Compiled bundles that a child keeps: some 100 KiB each, all in its one isolate. */
export const CACHED_BUNDLES_MAX = 32;
/** For the child's own JavaScript, which only moves text; user code has MEMORY_MB of its own. */
export const CHILD_OLD_SPACE_MB = 64;
/**
 * Calls of a function before V8 compiles it with an optimizing compiler (400 and 3,000 by default). What it compiles is lost
 * with the context of the run, so it pays only in long runs: short ones cost half of the CPU without it.
 */
export const TIERING_FLAGS = ['--invocation-count-for-maglev=10000', '--invocation-count-for-turbofan=50000'];
/** A child of which more is resident than this and so many times MEMORY_MB is ended, in the middle of a run. */
export const CHILD_BASE_MB = 128;
/** V8 overshoots, and other compiled bundles are there as well. */
export const CHILD_MEMORY_FACTOR = 4;
/** How often that is looked at. A process gets some 100 MiB from the system in that time. */
export const MEMORY_WATCH_MS = 25;
/** A child is replaced after so many runs: whatever leaked into it goes with it. */
export const RUNS_PER_CHILD_MAX = 5_000;
/** A child that did nothing for so long gives its memory back; the spare takes over when it is needed again. */
export const CHILD_IDLE_MS = 60_000;
/** Children that stand by without a workspace: one, and this many while several workspaces wait for a child. */
export const SPARES_MAX = 2;
/** A child that was not ready by then is given up. Normal is 60 ms; to end one for a busy machine's sake makes it busier. */
export const CHILD_START_MS = 30_000;

/** One message between supervisor and child: the results of a shared run, where each caller may have RESULTS_BYTES_MAX. */
export const FRAME_BYTES_MAX = 16 * 1_024 * 1_024;
/** The head of such a message: code and credentials, logs, or a call of `fetch` with its answer. It is parsed at once. */
export const FRAME_HEAD_BYTES_MAX = 1_310_720;
/** Results beyond this are read when the supervisor has done other things in between. */
export const SLICE_BYTES = 65_536;
/** Callers whose waiting events share a run. */
export const SHARED_CALLERS_MAX = 16;
/** How long a shared run may be expected to take: all of it has to fit RUN_LIMIT_MS, and callers wait for each other. */
export const SHARED_RUN_MS = 50;
export const SHARED_EVENTS_BYTES_MAX = 1_024 * 1_024;
/** After a limit was hit, events run again by themselves until this long after the call came in; its deadline is 10 s. */
export const CALL_LIMIT_MS = 9_000;
/** The least that an event gets then; what has less time left is not tried. */
export const PART_LIMIT_MIN_MS = 50;

/** Runs that wait for a child; more are refused. Each holds up to one message of memory. */
export const QUEUE_MAX = 64;
/** Of these, what one workspace may have: the rest stays free for its neighbours. */
export const QUEUE_PER_WORKSPACE_MAX = 48;
/** A child that its workspace still has work for is left to it so long; a new one costs 50 ms. */
export const CHILD_SLICE_MS = 200;
/** A run that waited so long is refused: with its own time it would miss the caller's deadline of 10 s. */
export const QUEUE_WAIT_MS = 4_500;

/** Results of one reply, as JSON; leaves room for logs and envelope in a message of 1 MiB. */
export const RESULTS_BYTES_MAX = 900 * 1_024;
/** Collected output of `log(...)`, as JSON. */
export const LOG_BYTES_MAX = 64 * 1_024;
/** Errors of one batch that belong to no event; more say nothing new. */
export const STRAYS_MAX = 100;
/** One error as shown to the user; a thrown text may be as long as the memory allows. */
export const ERROR_CHARS_MAX = 4_096;

/** Calls of `fetch` and `fetchV2` in one run (security-reliability 3.1, rule 5). */
export const FETCHES_PER_RUN_MAX = 10;
/** One call, the way to the fetcher included, which gives the call itself 2 s. */
export const FETCH_DEADLINE_MS = 2_500;
/** A run whose `fetch` is still under way ends so long before its limit, so that the other events' results come out. */
export const FETCH_RESERVE_MS = 250;
/** Of an address in the list of a test's calls: it is searched for the values of credentials, in the supervisor. */
export const SHOWN_URL_CHARS_MAX = 1_024;
/** What user code sends with one call; the answer is bounded by the fetcher (512 KiB, for one NATS message). */
export const FETCH_REQUEST_BYTES_MAX = 256 * 1_024;
