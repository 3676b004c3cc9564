import { Socket } from 'node:net';
import { FetchDesk } from './child/fetch-desk.js';
import { isolate, MEMORY_MB } from './child/isolate.js';
import { watchMemory } from './child/memory-watch.js';
import { isWarm } from './child/programs.js';
import { Room } from './child/room.js';
import { Run } from './child/run.js';
import { FRAME_BYTES_MAX } from './limits.js';
import type { ChildAnswer, ChildTask, FetchAnswer, ReadyMessage } from './protocol.js';
import { CHILD_SOCKET_FD, FrameReader, frameOf } from './wire/frames.js';

/**
 * Entry point of a child process, and the only place that loads isolated-vm. Runs one task at a time. The supervisor also
 * enforces the time limit because it does not trust the child. Every run gets a fresh context that was prepared in advance.
 */
const fetches = new FetchDesk((ask) => socket.write(frameOf(ask)));
let prepared: Room | undefined = new Room();

async function perform(task: ChildTask, events: Buffer): Promise<void> {
  const wasWarm = isWarm(task.bundle);
  const unwatch = watchMemory(MEMORY_MB);
  const room = prepared ?? new Room();
  prepared = undefined;
  const { body = '', failure } = await new Run(task, events, room, fetches).perform();
  const spent = failure !== undefined && failure.kind !== 'thrown';
  const logs = await logsOf(task, room);
  unwatch();
  const answer = { id: task.id, ...(failure && { failure }), logs, isWarm: wasWarm, spent };
  socket.write(frameOf(answer satisfies ChildAnswer, [Buffer.from(body)]));
  room.leave();
  if (!spent) prepared = new Room();
}

async function logsOf({ collectLogs }: ChildTask, room: Room): Promise<string[]> {
  if (!collectLogs || isolate.isDisposed) return [];
  try {
    const logs: unknown = JSON.parse(await room.tell('logsJson'));
    return Array.isArray(logs) ? logs.filter((line) => typeof line === 'string') : [];
  } catch {
    return []; // the isolate reached its limits
  }
}

// A terminal sends Ctrl-C to children too. They ignore it and leave with their supervisor, which ends its runs first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
const socket = new Socket({ fd: CHILD_SOCKET_FD });
const reader = new FrameReader(FRAME_BYTES_MAX, (head, body) => {
  const message = head as ChildTask | FetchAnswer;
  if ('type' in message) fetches.receive(message);
  else void perform(message, body);
});
// An orderly exit would wait for a thread that runs user code, possibly forever.
const leave = () => process.kill(process.pid, 'SIGKILL');
socket.on('close', leave);
socket.on('error', leave);
socket.on('data', (chunk) => reader.push(chunk));
socket.write(frameOf({ type: 'ready' } satisfies ReadyMessage));
