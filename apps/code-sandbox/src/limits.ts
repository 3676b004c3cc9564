/**
 * Wall-clock limit of one run over all its events: loading, calling and writing results. Similar products use the same figure.
 */
export const RUN_LIMIT_MS = 4_000;
/** Extra time after which the supervisor kills a child, because the limit inside the isolate may not hold. */
export const KILL_GRACE_MS = 800;
/** Heap limit per isolate. V8 may use two to three times as much before it notices. */
export const MEMORY_MB = 128;
/** Compiled bundles that a child keeps in its isolate, at about 100 KiB each. */
export const CACHED_BUNDLES_MAX = 32;
/** Heap for the child's own JavaScript, which only moves text. User code has its own MEMORY_MB. */
export const CHILD_OLD_SPACE_MB = 64;
/**
 * Semi-space of both heaps of a child. With Node's default of 16 MiB, events that were passed on wait longer to be collected. Then
 * the memory watch ended children of harmless code under long batches.
 */
export const CHILD_SEMI_SPACE_MB = 1;
/** Text of events and results that passes a child between two collections of its own heap. Each takes about 9 ms. */
export const COLLECT_BYTES = 16 * 1_024 * 1_024;
/**
 * Calls of a function before V8 optimises it. The result is lost with the context of the run, so optimising pays only in long runs.
 * Without it, short runs cost half the CPU.
 */
export const TIERING_OF_FRESH = ['--invocation-count-for-maglev=10000', '--invocation-count-for-turbofan=50000'];
/** V8's own figures. In a context that stays, optimised code and driver need a quarter less CPU. */
export const TIERING_OF_KEPT = ['--invocation-count-for-maglev=400', '--invocation-count-for-turbofan=3000'];
/** Contexts that a child keeps for code without state, at 1 to 2 MiB each. */
export const KEPT_ROOMS_MAX = 12;
/** Runs of one such context. Bounds what a fault of the proof or of V8 could gather. */
export const KEPT_RUNS_MAX = 10_000;
/** Lifetime of one such context, for the same reason. */
export const KEPT_MS_MAX = 60_000;
/** Share of the heap from which all such contexts make room. */
export const HEAP_SHARE_MAX = 0.5;
/** Kills a child, even during a run, whose resident memory exceeds CHILD_BASE_MB + CHILD_MEMORY_FACTOR x MEMORY_MB. */
export const CHILD_BASE_MB = 128;
/** Leaves room for V8's overshoot and for other compiled bundles. */
export const CHILD_MEMORY_FACTOR = 4;
/** Interval between memory checks. A process can allocate about 100 MiB in that time. */
export const MEMORY_WATCH_MS = 25;
/** Replaces a child after this many runs in fresh contexts, which clears anything that leaked into it. */
export const RUNS_PER_CHILD_MAX = 5_000;
/** Stops a child that was idle this long to return its memory. The spare takes over when needed. */
export const CHILD_IDLE_MS = 60_000;
/**
 * Maximum number of children that stand by without a workspace. Normally one stands by, and this many while several workspaces
 * wait.
 */
export const SPARES_MAX = 2;
/**
 * Gives up a child that does not start in time. Starting takes 60 ms, but killing slow starters would make a busy machine busier.
 */
export const CHILD_START_MS = 30_000;

/** Upper limit of a message between supervisor and child. Fits a shared run in which each caller has RESULTS_BYTES_MAX. */
export const FRAME_BYTES_MAX = 16 * 1_024 * 1_024;
/**
 * Upper limit of the head of such a message, which is parsed at once. It holds code and credentials, logs, or a `fetch` call or
 * answer.
 */
export const FRAME_HEAD_BYTES_MAX = 1_310_720;
/**
 * Code that a child holds between runs, in characters. The supervisor sends other code along with its task. Bundles have at most
 * 384 KiB, and most have a few.
 */
export const HELD_BUNDLES_CHARS_MAX = 4 * 1_024 * 1_024;
/** JSON of bundles that the supervisor recognises in requests. It holds what it read from them as well. */
export const KNOWN_BUNDLES_BYTES_MAX = 8 * 1_024 * 1_024;
/** Results beyond this size are read in slices, with other work in between. */
export const SLICE_BYTES = 65_536;
/** Callers whose waiting events may share a run. */
export const SHARED_CALLERS_MAX = 16;
/** Longest expected duration of a shared run. It must fit RUN_LIMIT_MS, and callers wait for each other. */
export const SHARED_RUN_MS = 50;
export const SHARED_EVENTS_BYTES_MAX = 1_024 * 1_024;
/** Time after a call came in during which its events may run again. The deadline of the call is 10 s. */
export const CALL_LIMIT_MS = 9_000;
/** Minimum time for such an event. With less time left, it is not tried. */
export const PARTIAL_RUN_LIMIT_MIN_MS = 50;

/** Maximum time for such an event in a test. A test that runs into the limit has failed, and its author waits. */
export const TEST_RERUN_LIMIT_MS = 500;

/** Runs that may wait for a child. Further ones are refused. Each holds up to one message in memory. */
export const QUEUE_MAX = 64;
/** Waiting runs of one workspace. The rest is reserved for the others. */
export const QUEUE_PER_WORKSPACE_MAX = 48;
/** How long a workspace with more work keeps its child. A new child costs 50 ms. */
export const CHILD_SLICE_MS = 200;
/** Refuses a run that waited this long. It would miss the caller's deadline of 10 s. */
export const QUEUE_WAIT_MS = 4_500;

/** Results of one reply, as JSON. Leaves room for logs and envelope in a message of 1 MiB. */
export const RESULTS_BYTES_MAX = 900 * 1_024;
/** Collected output of `log(...)`, as JSON. */
export const LOG_BYTES_MAX = 64 * 1_024;
/** Errors of one batch that belong to no event. Further ones say nothing new. */
export const STRAYS_MAX = 100;
/** Length of an error as shown to users. A thrown text can be as long as memory allows. */
export const ERROR_CHARS_MAX = 4_096;

/** Calls of `fetch` and `fetchV2` in one run (security-reliability 3.1, rule 5). */
export const FETCHES_PER_RUN_MAX = 10;
/** Deadline of one call, including the way to the fetcher, which allows 2 s for the call itself. */
export const FETCH_DEADLINE_MS = 2_500;
/** A run with a `fetch` under way ends this much before its limit, so that the results of other events are kept. */
export const FETCH_RESERVE_MS = 250;
/** Length of a URL or an error in the list of a test's calls. The supervisor searches it for credential values. */
export const SHOWN_URL_CHARS_MAX = 1_024;
/** Size of a request that user code sends. The fetcher limits the answer (512 KiB, to fit a NATS message). */
export const FETCH_REQUEST_BYTES_MAX = 256 * 1_024;
