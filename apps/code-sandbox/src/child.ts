import { Socket } from 'node:net';
import { collectAfter } from './child/collection.js';
import { FetchDesk } from './child/fetch-desk.js';
import { isolate, MEMORY_MB, optimiseFor, watchMemory } from './child/isolate.js';
import { KeptRooms } from './child/kept-rooms.js';
import { isCompiled } from './child/programs.js';
import { Room } from './child/room.js';
import { Run, type RunResult } from './child/run.js';
import { shownRuntime } from './child/verdicts.js';
import { FRAME_BYTES_MAX } from './limits.js';
import { CHILD_SOCKET_FD, FrameReader, frameOf, sendFrame } from './wire/frames.js';
import { HeldBundles } from './wire/held-bundles.js';
import type {
  Bundle,
  ChildAnswer,
  ChildTask,
  ContextUsed,
  FetchAnswer,
  FullTask,
  Judged,
  ReadyMessage,
} from './wire/protocol.js';

/**
 * Entry point of a child process, and the only place that loads isolated-vm. Runs one task at a time. The supervisor also
 * enforces the time limit because it does not trust the child. A run gets a fresh context that was prepared in advance, unless its
 * code keeps no state and ran in one before.
 */
const fetches = new FetchDesk((ask) => socket.write(frameOf(ask)));
let prepared: Room | undefined = new Room();
/** One that watches the language, for code that was just found to keep no state. The watch takes milliseconds to set up. */
let watched: Room | undefined;
const keptRooms = new KeptRooms();
const heldBundles = new HeldBundles<Bundle>();

async function perform(task: FullTask, events: Buffer): Promise<void> {
  const wasCompiled = isCompiled(task);
  if (task.collectLogs) tellRuntime(task);
  const unwatch = watchMemory(MEMORY_MB);
  const { room, context, body = '', failure } = await runIn(task, events);
  const spent = failure !== undefined && failure.cause !== 'thrown';
  const logs = await logsOf(task, room);
  unwatch();
  const answer = {
    id: task.id,
    ...(failure && { failure }),
    logs,
    isCompiled: wasCompiled,
    context,
    spent,
  };
  const results = Buffer.from(body);
  sendFrame(socket, answer satisfies ChildAnswer, [results]);
  if (spent) return;
  if (!room.isOpen) room.leave();
  else if (failure) keptRooms.distrust(task);
  else keptRooms.keep(task, room);
  if (keptRooms.has(task)) room.inspect();
  keptRooms.learn(task);
  if (keptRooms.mayKeep(task) && !keptRooms.has(task)) watched ??= newWatchedRoom();
  prepared ??= new Room();
  collectAfter(events.length + results.length);
}

function tellRuntime(task: FullTask): void {
  socket.write(frameOf({ type: 'judged', task: task.id, runtime: shownRuntime(task) } satisfies Judged));
}

/** Runs in the room that stayed open for the code, or else in a fresh one. */
async function runIn(task: FullTask, events: Buffer): Promise<RunResult & { room: Room; context: ContextUsed }> {
  const kept = keptRooms.find(task);
  optimiseFor(kept ? 'kept' : 'fresh');
  if (kept) {
    const result = await new Run(task, events, kept, fetches).perform(true);
    if (!result.isTouched) return { ...result, room: kept, context: 'kept' };
    keptRooms.distrust(task);
  }
  const room = keptRooms.mayKeep(task) ? takeWatched() : takePrepared();
  const result = await new Run(task, events, room, fetches).perform();
  return { ...result, room, context: kept ? 'touched' : 'fresh' };
}

function takePrepared(): Room {
  const room = prepared ?? new Room();
  prepared = undefined;
  return room;
}

function takeWatched(): Room {
  const room = watched ?? newWatchedRoom();
  watched = undefined;
  return room;
}

function newWatchedRoom(): Room {
  const room = takePrepared();
  room.stayOpen();
  return room;
}

async function logsOf({ collectLogs }: FullTask, room: Room): Promise<string[]> {
  if (!collectLogs || isolate.isDisposed) return [];
  try {
    const logs: unknown = JSON.parse(await room.tell('logsJson'));
    return Array.isArray(logs) ? logs.filter((line) => typeof line === 'string') : [];
  } catch {
    return []; // the isolate reached its limits
  }
}

function withBundle(task: ChildTask): FullTask {
  const held = heldBundles.use(task.digest);
  if (held) return { ...task, bundle: held };
  if (!task.bundle) throw new Error(`bundle ${task.digest} is not held`);
  heldBundles.hold(task.digest, task.bundle, task.bundle);
  return { ...task, bundle: task.bundle };
}

// A terminal sends Ctrl-C to children too. They ignore it and leave with their supervisor, which ends its runs first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
const socket = new Socket({ fd: CHILD_SOCKET_FD });
const reader = new FrameReader(FRAME_BYTES_MAX, (head, body) => {
  const message = head as ChildTask | FetchAnswer;
  if ('type' in message) fetches.receive(message);
  else void perform(withBundle(message), body);
});
// An orderly exit would wait for a thread that runs user code, possibly forever.
const leave = () => process.kill(process.pid, 'SIGKILL');
socket.on('close', leave);
socket.on('error', leave);
socket.on('data', (chunk) => reader.push(chunk));
socket.write(frameOf({ type: 'ready' } satisfies ReadyMessage));
