/** The effect of a command on the workspace or on files. An assistant that may only read cannot call those that write. */
export type Effect = 'reads' | 'writes' | 'left out';

/** Keyed by the words of the command. A test finds commands that are missing here: they are left out. */
export const EFFECTS: Readonly<Record<string, Effect>> = {
  // People type a token, and decide about it.
  login: 'left out',
  logout: 'left out',
  status: 'reads',
  doctor: 'reads',
  init: 'writes',
  plan: 'reads',
  apply: 'writes',
  destroy: 'writes',
  export: 'writes',
  schema: 'reads',
  // People move in once, and it sends a variable of the environment to an address of the caller's choice.
  'import rudderstack': 'left out',
  'import segment': 'left out',
  // It gives the settings of destinations, with their secrets, to an address of the caller's choice.
  compare: 'left out',
  // It runs until Ctrl-C, with the credentials of the code.
  dev: 'left out',
  // It sends drafts.
  test: 'writes',
  publish: 'writes',
  'transformations list': 'reads',
  'libraries list': 'reads',
  history: 'reads',
  rollback: 'writes',
  diff: 'reads',
  // It runs until Ctrl-C. `trace` tells the life of an event.
  tail: 'left out',
  trace: 'reads',
  trigger: 'writes',
  replay: 'writes',
  'replays list': 'reads',
  'replays show': 'reads',
  'replays pause': 'writes',
  'replays resume': 'writes',
  'replays cancel': 'writes',
  types: 'reads',
  suppress: 'writes',
  forget: 'writes',
  'regulation list': 'reads',
  'regulation show': 'reads',
  'regulation cancel': 'writes',
  'receipt get': 'writes',
  'receipt verify': 'reads',
  mcp: 'left out',
  completion: 'left out',
};
